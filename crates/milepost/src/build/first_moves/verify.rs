//! Proves that a table can be walked along: every move that it names is one that the map allows.

use super::blocks::Plan;
use crate::index::Section;
use crate::index::first_moves::places::Patch;
use crate::index::first_moves::{FirstMoves, Head, PLACES, RAW};
use crate::space::Space;

/// The moves of every state are moves of the map, and squares of cells belong to the component that they say.
pub(in crate::build) fn verify(space: &Space, section: &Section) -> Result<(), String> {
    let head = section.array::<Head>(0).first().copied().unwrap_or_default();
    let moves = FirstMoves::new(space, section);
    let plan = Plan::numbered(space, head.form == RAW, moves.order()).map_err(|error| error.to_string())?;
    if head.form != plan.form {
        return Err(format!("the table has form {}, expected {}", head.form, plan.form));
    }
    if section.array::<Patch>(PLACES[1]) != plan.patches.patches {
        return Err("squares of cells are said to be in another component".to_owned());
    }
    for block in &plan.blocks {
        let patterns = moves.patterns(block.place);
        let patterns =
            patterns.ok_or_else(|| format!("row {} names patterns that are not there", block.place))?;
        for symbols in patterns {
            for (lane, source) in block.used() {
                if block.allowed.0[lane] >> symbols[lane] & 1 == 0 {
                    let state = plan.order[source as usize];
                    return Err(format!("from {state} it names the move {}, which is none", symbols[lane]));
                }
            }
        }
    }
    match head.form {
        RAW => verify_raw(space, &plan, &moves),
        _ => Ok(()),
    }
}

fn verify_raw(space: &Space, plan: &Plan<'_>, moves: &FirstMoves<'_>) -> Result<(), String> {
    for &state in &plan.order {
        for &target in &plan.order {
            let is_move =
                moves.raw_slot(state, target).is_none_or(|slot| space.successor_at(state, slot).is_some());
            if !is_move {
                return Err(format!("from {state} to {target} it names a move that is none"));
            }
        }
    }
    Ok(())
}
