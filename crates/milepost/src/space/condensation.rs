//! Which nodes of a directed graph can reach which: its strong components, and their order.
//!
//! # Paper
//! R. Tarjan: Depth-first search and linear graph algorithms, SIAM Journal on Computing 1, 1972. The recursion is
//! kept on a stack of our own, so that a path of a million nodes does not overflow the program's.
//!
//! # Guarantees
//! Linear in nodes and edges. Components are finished in reverse topological order: an edge between two of them
//! leads from the later one to the earlier one. So a component never reaches one that was finished later.

/// Whether a state can be reached from another.
///
/// ```
/// use milepost::space::Reach;
/// use milepost::{Grid, Point, Rule, SpaceKind};
///
/// let grid = Grid::from_ascii("..@.", Rule::Octile)?;
/// let cell = |x| grid.state_at(Point::new(x, 0)).expect("inside the map");
/// assert_eq!(grid.reach(cell(0), cell(1)), Reach::Always);
/// assert_eq!(grid.reach(cell(0), cell(3)), Reach::Never); // known without a search
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Yes, both ways.
    Always,
    /// No.
    Never,
    /// A search must find out.
    Perhaps,
}

/// The strong components of a directed graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Condensation {
    /// The component of each node, in the order in which they were finished.
    finished: Vec<u32>,
    count: u32,
}

const UNSEEN: u32 = u32::MAX;

impl Condensation {
    /// The components of the graph with these many nodes, of which `successor(node, k)` is the k-th successor.
    pub(super) fn new(nodes: u32, successor: impl Fn(u32, u32) -> Option<u32>) -> Condensation {
        let mut finished = vec![UNSEEN; nodes as usize];
        let mut index = vec![UNSEEN; nodes as usize];
        let mut low = vec![0; nodes as usize];
        let (mut next_index, mut count) = (0, 0);
        // Nodes whose component is open, and the calls of the recursion: a node and its next successor.
        let (mut open, mut calls): (Vec<u32>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
        for root in 0..nodes {
            if index[root as usize] != UNSEEN {
                continue;
            }
            calls.push((root, 0));
            while let Some((node, step)) = calls.last_mut() {
                let at = *node as usize;
                if *step == 0 {
                    (index[at], low[at]) = (next_index, next_index);
                    next_index += 1;
                    open.push(*node);
                }
                let following = successor(*node, *step);
                *step += 1;
                match following {
                    Some(to) if index[to as usize] == UNSEEN => calls.push((to, 0)),
                    Some(to) if finished[to as usize] == UNSEEN => low[at] = low[at].min(index[to as usize]),
                    Some(_) => {}
                    None => {
                        calls.pop();
                        if let Some(&(caller, _)) = calls.last() {
                            low[caller as usize] = low[caller as usize].min(low[at]);
                        }
                        if low[at] == index[at] {
                            while let Some(member) = open.pop() {
                                finished[member as usize] = count;
                                if member as usize == at {
                                    break;
                                }
                            }
                            count += 1;
                        }
                    }
                }
            }
        }
        Condensation { finished, count }
    }

    /// The component of a node.
    #[inline]
    pub(super) fn of(&self, node: u32) -> u32 {
        self.finished[node as usize]
    }

    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// What the order of components says about a way from one node to another.
    #[inline]
    pub(super) fn reach(&self, from: u32, to: u32) -> Reach {
        match self.of(from).cmp(&self.of(to)) {
            std::cmp::Ordering::Equal => Reach::Always,
            std::cmp::Ordering::Less => Reach::Never,
            std::cmp::Ordering::Greater => Reach::Perhaps,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.finished.capacity() * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;

    #[test]
    fn components_and_their_order_agree_with_floods_on_random_graphs() {
        let mut rng = Rng::new(51);
        for _ in 0..400 {
            let nodes = 1 + rng.below(25);
            let edges: Vec<Vec<u32>> =
                (0..nodes).map(|_| (0..rng.below(4)).map(|_| rng.below(nodes)).collect()).collect();
            let found = Condensation::new(nodes, |node, k| edges[node as usize].get(k as usize).copied());
            let flood = |start: u32| {
                let (mut seen, mut stack) = (vec![false; nodes as usize], vec![start]);
                while let Some(node) = stack.pop() {
                    if !std::mem::replace(&mut seen[node as usize], true) {
                        stack.extend(&edges[node as usize]);
                    }
                }
                seen
            };
            let reached: Vec<Vec<bool>> = (0..nodes).map(flood).collect();
            for (a, b) in (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b))) {
                let (there, back) = (reached[a as usize][b as usize], reached[b as usize][a as usize]);
                match found.reach(a, b) {
                    Reach::Always => assert!(there && back),
                    Reach::Never => assert!(!there),
                    Reach::Perhaps => assert!(!back),
                }
            }
        }
    }

    #[test]
    fn a_path_of_a_million_nodes_does_not_overflow_the_stack() {
        let found = Condensation::new(1_000_000, |node, k| (k == 0 && node < 999_999).then_some(node + 1));
        assert_eq!(found.count(), 1_000_000);
        assert_eq!(found.reach(0, 999_999), Reach::Perhaps);
        assert_eq!(found.reach(999_999, 0), Reach::Never);
    }
}
