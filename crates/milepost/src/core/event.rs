//! What an observed search or agent did, one thing after another: what a viewer draws.

/// One thing that happened.
///
/// Shown by [`PlannerRun`](crate::observe::PlannerRun).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// Where: a state, or a node of the search on a mesh.
    pub cell: u32,
    /// From where; the cell itself if from nowhere.
    pub from: u32,
    /// What the kind says of it, as users see costs.
    pub value: f32,
}

/// What happens. The numbers are part of the messages that viewers read, and stay.
///
/// Shown by [`PlannerRun`](crate::observe::PlannerRun).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum EventKind {
    /// A state was opened, from its parent. Value: f.
    Open = 0,
    /// A state was expanded. Value: g.
    Close = 1,
    /// A better way to a state was found, from its new parent. Value: f.
    Better = 2,
    /// A jump led over states that were not opened. Value: f.
    Jump = 3,
    /// A state was looked at in a search that is forgotten with the step. Value: f.
    Look = 4,
    /// A value was learned. Value: how much greater it is than what was first believed.
    Learn = 5,
    /// A state was seen. Value: 1 for a wall, 0 for ground.
    See = 6,
    /// The agent moved. Value: the cost so far.
    Move = 7,
    /// The agent means to go here; the first state of a plan comes from itself.
    Plan = 8,
    /// A state of the path that was found. Value: the cost so far.
    Path = 9,
    /// The map was changed here. Value: 1 for a wall, 0 for ground.
    Edit = 10,
    /// The agent stayed where it is.
    Wait = 11,
    /// The end. Value: the cost, -1 if there is no way, -2 if the agent gave up.
    End = 12,
    /// Something was looked up that leads from one state to another: a move, a label, a hub. Value: its cost, or 0.
    Hop = 13,
    /// The agent heads for this state on its way.
    Subgoal = 14,
    /// A record of a case base was tried: a way from one state to another.
    Record = 15,
    /// A state belongs to the region with this number, which is passed.
    Region = 16,
    /// In the tree that the agent keeps the parent of this state is the one that it comes from.
    Tree = 17,
}

impl EventKind {
    /// All of them, in the order of their numbers.
    pub const ALL: [EventKind; 18] = [
        EventKind::Open,
        EventKind::Close,
        EventKind::Better,
        EventKind::Jump,
        EventKind::Look,
        EventKind::Learn,
        EventKind::See,
        EventKind::Move,
        EventKind::Plan,
        EventKind::Path,
        EventKind::Edit,
        EventKind::Wait,
        EventKind::End,
        EventKind::Hop,
        EventKind::Subgoal,
        EventKind::Record,
        EventKind::Region,
        EventKind::Tree,
    ];

    /// The number in messages.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            EventKind::Open => "open",
            EventKind::Close => "close",
            EventKind::Better => "better",
            EventKind::Jump => "jump",
            EventKind::Look => "look",
            EventKind::Learn => "learn",
            EventKind::See => "see",
            EventKind::Move => "move",
            EventKind::Plan => "plan",
            EventKind::Path => "path",
            EventKind::Edit => "edit",
            EventKind::Wait => "wait",
            EventKind::End => "end",
            EventKind::Hop => "hop",
            EventKind::Subgoal => "subgoal",
            EventKind::Record => "record",
            EventKind::Region => "region",
            EventKind::Tree => "tree",
        }
    }
}

impl Event {
    /// Something that happened at a state, coming from another one.
    pub const fn new(kind: EventKind, cell: u32, from: u32, value: f32) -> Event {
        Event { kind, cell, from, value }
    }
}
