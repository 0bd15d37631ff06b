//! Builds [`first-moves`](crate::index::first_moves).

mod raw;

use super::{BuildError, Progress};
use crate::core::StateId;
use crate::index::first_moves::places::{self, NO_NUMBER};
use crate::index::first_moves::{Head, RAW};
use crate::index::jump_table::MOST_CELLS;
use crate::index::{Bytes, IndexKind, MOST_COLUMNS, SectionWriter};
use crate::space::Space;

/// States up to which the table is kept as it is.
const RAW_MOST: u32 = 1024;

/// The first moves of a space.
pub(super) fn build(space: &Space, _progress: Progress<'_>) -> Result<Bytes, BuildError> {
    if space.states() > RAW_MOST {
        let why = format!("{} states are more than {RAW_MOST}", space.states());
        return Err(BuildError::DoesNotPay { kind: IndexKind::FirstMoves, why, instead: "jump-rows" });
    }
    let order = order(space)?;
    let table = raw::build(space, &order);
    let mut writer = SectionWriter::default();
    let is_narrow = table.iter().all(|&way| way == raw::NO_WAY || way < u16::from(u8::MAX));
    let move_bytes = if is_narrow { 1 } else { 2 };
    writer.push(&[Head { form: RAW, move_bytes, states: space.states(), zero: 0 }]);
    push_places(space, &order, &mut writer);
    if is_narrow {
        writer.push(&table.iter().map(|&way| way as u8).collect::<Vec<u8>>());
    } else {
        writer.push(&table);
    }
    Ok(writer.finish())
}

/// The states in the order of their numbers: cells along the curve, nodes depth first.
fn order(space: &Space) -> Result<Vec<StateId>, BuildError> {
    match space {
        Space::Grid(grid) if !places::fits(grid) => {
            Err(BuildError::TooLarge { most_columns: MOST_COLUMNS - 2, most_cells: MOST_CELLS })
        }
        Space::Grid(grid) => {
            let patches = places::patches(grid);
            let in_row = crate::index::jump_table::squares_in_row(grid);
            let mut order = vec![StateId::NONE; grid.states() as usize];
            for state in grid.free_states() {
                if let Some(place) = places::Places::cell(grid, &patches, in_row, state) {
                    order[place.number as usize] = state;
                }
            }
            Ok(order)
        }
        Space::Graph(graph) => {
            let (mut is_known, mut stack, mut order) =
                (vec![false; graph.id_bound()], Vec::new(), Vec::new());
            for root in graph.nodes() {
                stack.push(root);
                while let Some(node) = stack.pop() {
                    if !std::mem::replace(&mut is_known[node.index()], true) {
                        order.push(node);
                        stack.extend(graph.edges_from(node).map(|edge| edge.to));
                    }
                }
            }
            Ok(order)
        }
    }
}

fn push_places(space: &Space, order: &[StateId], writer: &mut SectionWriter) {
    match space {
        Space::Grid(grid) => writer.push(&places::patches(grid)),
        Space::Graph(graph) => {
            let mut numbers = vec![NO_NUMBER; graph.id_bound()];
            for (state, number) in order.iter().zip(0..) {
                numbers[state.index()] = number;
            }
            writer.push(&numbers)
        }
    };
}

/// What [`build`] would take.
pub(super) fn estimate(space: &Space) -> Result<super::Estimate, BuildError> {
    let states = u64::from(space.states());
    let kind = IndexKind::FirstMoves;
    Ok(super::Estimate {
        kind,
        bytes: states * states,
        seconds: (states * states * states) as f64 * 1e-9,
        jump_points: None,
    })
}
