//! Indexes by name.

use super::{AGENTS, AgentEntry, AnyAgentKind, PLANNERS, PlannerEntry, STRICT_CORNERS, agent, planner};
use crate::agent::AgentKind;
use crate::index::IndexKind;
use crate::plan::Planner;
use crate::space::Rule;

/// An index as users see it.
#[derive(Clone, Copy, Debug)]
pub struct IndexEntry {
    /// The name users give.
    pub name: &'static str,
    /// The file in `index/` that holds its layout.
    pub module: &'static str,
    /// What it is.
    pub kind: IndexKind,
    /// What it holds, in a sentence.
    pub summary: &'static str,
    /// The rules under which it can be built.
    pub rules: &'static [Rule],
    /// Whether it can be built for maps with weights and links, and for graphs.
    pub any_costs: bool,
}

impl IndexEntry {
    /// The planners that read it.
    pub fn planners(&self) -> impl Iterator<Item = &'static PlannerEntry> + use<> {
        let kind = self.kind;
        PLANNERS
            .iter()
            .filter(move |entry| planner(entry.name).is_ok_and(|planner| planner.needs().contains(&kind)))
    }

    /// The agents that read it.
    pub fn agents(&self) -> impl Iterator<Item = &'static AgentEntry> + use<> {
        let kind = self.kind;
        let reads = move |agent: AnyAgentKind| agent.needs().is_some_and(|index| index.kind == kind);
        AGENTS.iter().filter(move |entry| agent(entry.name).is_ok_and(reads))
    }
}

/// Every index that can be built.
pub const INDEXES: &[IndexEntry] = &[
    IndexEntry {
        name: "jump-table",
        module: "jump_table",
        kind: IndexKind::JumpTable,
        summary: "how far it is to the next jump point or wall, for every cell and direction; built in milliseconds",
        rules: &STRICT_CORNERS,
        any_costs: false,
    },
    IndexEntry {
        name: "goal-bounds",
        module: "goal_bounds",
        kind: IndexKind::GoalBounds,
        summary: "a box of goals for every edge of every state; one flood from each, so minutes on large maps",
        rules: &Rule::ALL,
        any_costs: true,
    },
    IndexEntry {
        name: "jump-bounds",
        module: "jump_bounds",
        kind: IndexKind::JumpBounds,
        summary: "a box of goals for every way from one jump point to the next; built in seconds",
        rules: &STRICT_CORNERS,
        any_costs: false,
    },
    IndexEntry {
        name: "jump-rows",
        module: "jump_rows",
        kind: IndexKind::JumpRows,
        summary: "for every jump point, which one comes next on the way to any cell; built in seconds",
        rules: &STRICT_CORNERS,
        any_costs: false,
    },
    IndexEntry {
        name: "first-moves",
        module: "first_moves",
        kind: IndexKind::FirstMoves,
        summary: "the first move of a shortest path between any two states; seconds to minutes, more on large maps",
        rules: &Rule::ALL,
        any_costs: true,
    },
    IndexEntry {
        name: "regions",
        module: "regions",
        kind: IndexKind::Regions,
        summary: "regions of a map, and for any two of them where the way between them leaves; a flood for each region",
        rules: &Rule::ALL,
        any_costs: true,
    },
    IndexEntry {
        name: "corner-hierarchy",
        module: "corner_hierarchy",
        kind: IndexKind::CornerHierarchy,
        summary: "a hierarchy of ways between corners, and a short list of corners for each block of cells; small, \
                  built in seconds even for millions of cells",
        rules: &STRICT_CORNERS,
        any_costs: false,
    },
    IndexEntry {
        name: "case-base",
        module: "case_base",
        kind: IndexKind::CaseBase,
        summary: "problems solved and compressed, and regions with ways between them; built in seconds",
        rules: &Rule::ALL,
        any_costs: true,
    },
    IndexEntry {
        name: "subgoal-trees",
        module: "subgoal_trees",
        kind: IndexKind::SubgoalTrees,
        summary: "a tree of subgoals for every goal; one flood from each, so seconds to minutes",
        rules: &Rule::ALL,
        any_costs: true,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_that_a_planner_reads_is_listed_under_its_name() {
        for entry in INDEXES {
            assert_eq!((entry.kind.name(), IndexKind::from_name(entry.name)), (entry.name, Some(entry.kind)));
            assert!(entry.planners().count() + entry.agents().count() > 0, "{}", entry.name);
        }
        for entry in PLANNERS {
            for kind in planner(entry.name).unwrap().needs() {
                let listed =
                    INDEXES.iter().find(|index| index.kind == *kind).unwrap_or_else(|| panic!("{kind}"));
                assert!(listed.planners().any(|reader| reader.name == entry.name));
            }
        }
    }
}
