//! Algorithm 3 to the letter, beside the agent that is named after it.

use super::*;
use crate::agent::Step;
use crate::build::{SILENT, build};
use crate::catalog::agent;
use crate::core::{Budget, Cost, Goal, Rng, best_successor};
use crate::index::Atlas;
use crate::index::subgoal_trees::Next;
use crate::plan::Scratch;
use crate::space::{AnyTarget, Grid, Rule};
use std::collections::BTreeMap;

/// `h(s, goal)`: what was learned, else the estimate of the space.
struct Listed<'a> {
    goal: StateId,
    target: AnyTarget<'a>,
    h: &'a BTreeMap<(StateId, StateId), Cost>,
}

impl Goal for Listed<'_> {
    fn is_reached(&self, state: StateId) -> bool {
        state == self.goal
    }

    fn estimate(&self, state: StateId) -> Cost {
        self.h.get(&(state, self.goal)).copied().unwrap_or_else(|| self.target.estimate(state))
    }
}

/// Lines 6 to 11, from a start whose first goal, after line 8, is known, for at most so many moves; and how often line 8 has
/// turned the agent at the state where it has done so most often.
fn listed(atlas: &Atlas, (s_0, t): (StateId, StateId), first: StateId, most: usize) -> (Vec<StateId>, u32) {
    let trees = atlas.subgoal_trees(AS_PRINTED.index()).expect("built before");
    let number = trees.number(t).expect("a free state");
    let (mut h, mut turns) = (BTreeMap::new(), BTreeMap::<StateId, u32>::new());
    let (mut s, mut goal, mut walk) = (s_0, first, Vec::new());
    while s != t && walk.len() < most {
        // Line 8; for the first state it is done.
        let next = trees.subgoal_at(s).map(|subgoal| trees.next(subgoal, number));
        let next = match next.filter(|_| s != s_0 || !walk.is_empty()) {
            Some(Next::Subgoal(next, _)) => Some(trees.state(next)),
            Some(Next::Goal(_)) => Some(t),
            Some(Next::NotThere) | None => None,
        };
        if let Some(next) = next {
            *turns.entry(s).or_default() += u32::from(next != goal && s != goal);
            goal = next;
        }
        // Lines 9 to 11.
        let problem = atlas.space().problem(goal);
        let seen = Listed { goal, target: problem.target, h: &h };
        let best = best_successor(&problem.moves, &seen, s, &mut Budget::unlimited()).expect("a way on");
        let h_of_s = seen.estimate(s).max(best.f);
        h.insert((s, goal), h_of_s);
        s = best.state;
        walk.push(s);
    }
    (walk, turns.into_values().max().unwrap_or(0))
}

const AS_PRINTED: SubgoalTrees = SubgoalTrees { variant: Variant::AsPrinted, base: Base::Lrta };

fn random_grid(rng: &mut Rng) -> Grid {
    let (width, height) = (6 + rng.below(12), 6 + rng.below(12));
    let blocked = 20 + rng.below(25);
    let row = |rng: &mut Rng| -> String {
        (0..width).map(|_| if rng.below(100) < blocked { '@' } else { '.' }).collect()
    };
    let rows: Vec<String> = (0..height).map(|_| row(rng)).collect();
    Grid::from_ascii(&rows.join("\n"), [Rule::Octile, Rule::Four][rng.below(2) as usize]).expect("drawn")
}

#[test]
fn as_printed_walks_as_algorithm_3_does_and_stops_where_that_never_ends() {
    let (mut rng, mut scratch) = (Rng::new(417), Scratch::new());
    let (mut journeys, mut stops, mut most_turns) = (0, 0, 0);
    let kind = agent("subgoal-trees:as-printed").expect("a name of the catalog");
    for round in 0..250 {
        let atlas = Atlas::new(random_grid(&mut rng));
        let atlas = build(&atlas, AS_PRINTED.index(), SILENT).expect("any space will do");
        let states: Vec<StateId> = atlas.space().free_states().collect();
        for _ in 0..40 {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let (s_0, t) = (any(), any());
            if s_0 == t || atlas.space().reach(s_0, t) != Reach::Always {
                continue;
            }
            let mut agent = kind.start(&atlas, s_0, t);
            let (mut walk, mut first) = (Vec::new(), None);
            let end = loop {
                match agent.step(&atlas, &mut scratch, &mut Budget::unlimited()) {
                    Step::Move(to) => {
                        walk.push(to);
                        // An agent that heads for its goal names no subgoal.
                        first = first.or_else(|| Some(agent.subgoal().unwrap_or(t)));
                    }
                    Step::Thinking => {}
                    end => break end,
                }
                assert!(walk.len() < 100_000, "round {round}: {s_0} to {t} has no end");
            };
            let first = first.expect("a move was made");
            let (listed, turns) = listed(&atlas, (s_0, t), first, walk.len() + 20_000);
            let is_prefix = listed.starts_with(&walk);
            assert!(is_prefix, "round {round}: {s_0} to {t} is not as printed");
            let has_arrived = listed.last() == Some(&t);
            assert_eq!(
                end,
                if has_arrived { Step::Arrived } else { Step::Stopped },
                "round {round}: {s_0} to {t}"
            );
            assert!(!has_arrived || listed.len() == walk.len());
            journeys += 1;
            stops += u32::from(!has_arrived);
            most_turns = most_turns.max(if has_arrived { turns } else { 0 });
        }
    }
    assert!(journeys > 1_000, "{journeys} journeys, {stops} stops, a state turned {most_turns} times");
}
