use super::{NO_WAY, steps};
use crate::build::network::{Network, NetworkFlood};
use crate::build::{SILENT, build, verify};
use crate::core::{CostScale, Goal, Rng, StateId, StepRange};
use crate::index::{Atlas, IndexSpec};
use crate::space::{Edge, Edit, Graph, Grid, LandmarkForm, Rule, Space, Successors};

/// Grids under every rule, plain, with weights, with links, and graphs, directed or not.
fn random_space(rng: &mut Rng, round: usize) -> Space {
    if round % 6 == 5 {
        let nodes = 2 + rng.below(14);
        let mut edges = Vec::new();
        for _ in 0..rng.below(nodes * 3) {
            let [from, to] = [rng.below(nodes), rng.below(nodes)].map(StateId::new);
            let cost = 1 + rng.below(if round % 4 == 1 { 100_000 } else { 40 });
            edges.push(Edge { from, to, cost });
            if round % 12 == 5 {
                edges.push(Edge { from: to, to: from, cost });
            }
        }
        return Graph::from_edges(nodes, &edges, Vec::new()).expect("a small graph").into();
    }
    let (width, height) = (2 + rng.below(9), 2 + rng.below(9));
    let grid =
        Grid::new(width, height, Rule::ALL[round % 6], |_, _| rng.below(100) < 72).expect("a small map");
    let grid = match round / 6 % 3 {
        0 => grid,
        _ => grid.with_weights(|_, _| 1 + rng.below(5) as u8).expect("no zeros"),
    };
    let mut point = || crate::core::Point::new(rng.below(width).into(), rng.below(height).into());
    let links: Vec<Edit> =
        (0..2).map(|_| Edit::Link { from: point(), to: point(), cost: 1 + (round % 5) as u32 }).collect();
    if (round / 6).is_multiple_of(2) { grid.into() } else { grid.edited(&links).expect("inside").into() }
}

/// The estimate from each state to a goal.
fn estimates(atlas: &Atlas, form: LandmarkForm, states: &[StateId], goal: StateId) -> Vec<u64> {
    let mut problem = atlas.space().towards(goal, Successors::All);
    atlas.landmarks(form).into_iter().for_each(|landmarks| problem.inform(landmarks, goal));
    states.iter().map(|&state| problem.target.estimate(state).units()).collect()
}

fn named(text: &str) -> IndexSpec {
    IndexSpec::from_text(text).expect(text)
}

#[test]
fn estimates_by_landmarks_never_exceed_true_costs_and_differential_ones_are_consistent() {
    let mut rng = Rng::new(301);
    // How often an estimate was greater than the geometric one, and a canonical one not consistent.
    let (mut greater, mut inconsistent) = ([0, 0], 0);
    for round in 0..240 {
        let mut atlas = Atlas::new(random_space(&mut rng, round));
        for index in
            [["landmarks:3", "landmarks:4:canonical"], ["landmarks:1", "landmarks:canonical"]][round / 6 % 2]
        {
            atlas = build(&atlas, named(index), SILENT).expect(index);
        }
        verify(&atlas).expect("what was built is true");
        let states: Vec<StateId> = atlas.space().free_states().collect();
        let network = Network::new(atlas.space(), &states);
        let mut flood = NetworkFlood::new(&network);
        let costs: Vec<Vec<u64>> = (0..states.len() as u32)
            .map(|from| {
                flood.measure(&network, from);
                (0..states.len() as u32).map(|to| flood.distance(to)).collect()
            })
            .collect();
        for (goal, &target) in states.iter().enumerate() {
            let geometric = atlas.space().towards(target, Successors::All).target;
            for (kind, form) in [LandmarkForm::Differential, LandmarkForm::Canonical].into_iter().enumerate()
            {
                let h = estimates(&atlas, form, &states, target);
                assert_eq!(h[goal], 0);
                for (from, &state) in states.iter().enumerate() {
                    let truth = costs[from][goal];
                    let plain = geometric.estimate(state).units();
                    assert!(h[from] >= plain);
                    if truth == NO_WAY {
                        continue;
                    }
                    assert!(h[from] <= truth, "{form:?}, round {round}: {} of {truth}", h[from]);
                    greater[kind] += u32::from(h[from] > plain);
                    for arc in
                        network.arcs(from as u32).iter().filter(|arc| costs[arc.to as usize][goal] != NO_WAY)
                    {
                        let is_consistent = h[from] <= arc.cost + h[arc.to as usize];
                        assert!(is_consistent || form == LandmarkForm::Canonical);
                        inconsistent += u32::from(!is_consistent);
                    }
                }
            }
        }
    }
    assert!(greater[0] > 10_000 && greater[1] > 1000 && inconsistent > 0, "{greater:?} {inconsistent}");
}

#[test]
fn costs_are_taken_apart_into_steps_on_every_scale() {
    let mut rng = Rng::new(302);
    let ranges = [StepRange::plain(100), StepRange::plain(1_000_000), StepRange::weighted(10_000, 255)];
    let scales = ranges.iter().flat_map(|&range| Rule::ALL.map(|rule| (rule, range, rule.scale(range))));
    for (rule, range, scale) in scales.collect::<Vec<(Rule, StepRange, CostScale)>>() {
        let most = (range.cells / 2) as u32;
        for _ in 0..500 {
            let (straight, diagonal) = (u64::from(rng.below(most)), u64::from(rng.below(most)));
            let diagonal = if rule.is_octile() { diagonal } else { 0 };
            let cost = straight * scale.straight() + diagonal * scale.diagonal();
            let found = steps(&scale, cost);
            assert_eq!(found.0 * scale.straight() + found.1 * scale.diagonal(), cost);
            assert!(found.1 <= diagonal);
        }
    }
}

#[test]
fn landmarks_lie_far_apart_and_not_in_small_components() {
    // A corridor with a cell of its own beside it.
    let atlas = Atlas::new(Grid::from_ascii("........@.", Rule::Four).expect("a small map"));
    let states = |index: &str| -> Vec<i64> {
        let atlas = build(&atlas, named(index), SILENT).expect(index);
        let section = atlas.sections().first().expect("it was built");
        crate::index::landmarks::states(section).map(|state| atlas.space().point(state).x).collect()
    };
    assert_eq!(states("landmarks:1"), [7]);
    assert_eq!(states("landmarks:2"), [7, 0]);
    // The one in the middle with the least number, then what lies between.
    assert_eq!(states("landmarks:4"), [7, 0, 3, 5]);
    // There are no more than states; with as many the cell of its own is worth one.
    assert_eq!(states("landmarks:9:canonical"), [7, 9, 0, 3, 5, 1, 2, 4, 6]);
}

#[test]
fn an_index_that_only_grew_dearer_is_kept_and_any_other_edit_lets_it_go() {
    let form = LandmarkForm::Differential;
    let grid = Grid::from_ascii("....\n.@..\n....", Rule::Octile).expect("a small map");
    let atlas = build(&Atlas::new(grid), named("landmarks:3"), SILENT).expect("landmarks");
    let at = crate::core::Point::new;
    let dearer = [
        vec![Edit::close(at(2, 1))],
        vec![Edit::Weight { at: at(0, 0), weight: 9 }],
        // Opened again before anything was asked; and what is free already.
        vec![Edit::close(at(2, 1)), Edit::open(at(2, 1))],
        vec![Edit::open(at(3, 2))],
        // A weight that stays.
        vec![Edit::Weight { at: at(0, 0), weight: 1 }],
    ];
    for edits in dearer {
        let edited = atlas.edited(&edits).expect("inside");
        assert!(edited.landmarks(form).is_some(), "{edits:?}");
        verify(&edited).expect("estimates stay below costs");
        let reopened = Atlas::from_bytes(&edited.to_bytes()).expect("our own bytes");
        assert!(reopened.landmarks(form).is_some(), "{edits:?}");
    }
    let link = Edit::Link { from: at(0, 0), to: at(3, 2), cost: 2 };
    let weighted = atlas.edited(&[Edit::Weight { at: at(0, 0), weight: 9 }]).expect("inside");
    for (atlas, edit) in [
        (&atlas, Edit::open(at(1, 1))),
        (&atlas, link),
        (&weighted, Edit::Weight { at: at(0, 0), weight: 8 }),
    ] {
        let edited = atlas.edited(&[edit]).expect("inside");
        assert!(edited.landmarks(form).is_none() && edited.sections().is_empty(), "{edit:?}");
        // It is not taken for an index that was never built; but one that was built anew is.
        assert!(edited.serves(form.index()) && !edited.serves(LandmarkForm::Canonical.index()));
        let closed = edited.edited(&[Edit::close(at(0, 2))]).expect("inside");
        assert!(closed.landmarks(form).is_none() && closed.serves(form.index()));
        let anew = build(&closed, form.index(), SILENT).expect("landmarks");
        assert!(anew.landmarks(form).is_some());
    }
    let edge = |from, to, cost| Edge { from: StateId::new(from), to: StateId::new(to), cost };
    let graph =
        Graph::from_edges(3, &[edge(0, 1, 5), edge(1, 2, 5), edge(2, 0, 5)], Vec::new()).expect("a graph");
    let atlas = build(&Atlas::new(graph), named("landmarks:2"), SILENT).expect("landmarks");
    let ends = |from, to| (StateId::new(from), StateId::new(to));
    let edited = |edit: Edit| atlas.edited(&[edit]).expect("nodes of the graph").landmarks(form).is_some();
    let set = |(from, to), cost| Edit::Edge { from, to, cost };
    assert!(edited(set(ends(0, 1), 5)) && edited(set(ends(0, 1), 6)));
    assert!(!edited(set(ends(0, 1), 4)) && !edited(set(ends(1, 0), 9)));
    let (from, to) = ends(1, 2);
    assert!(edited(Edit::Unedge { from, to }) && edited(Edit::Unnode { node: to }));
    assert!(edited(Edit::Node { node: StateId::new(7), at: crate::space::NodePosition::default() }));
    assert_eq!(atlas.landmarks(form).map(|landmarks| landmarks.units), Some((1, 1)));
}
