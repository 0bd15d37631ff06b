//! Every example runs, and finds what it says.

#[path = "../../examples/agents.rs"]
mod agents;
#[path = "../../examples/build_save_open.rs"]
mod build_save_open;
#[path = "../../examples/edits.rs"]
mod edits;
#[path = "../../examples/frame_budget.rs"]
mod frame_budget;
#[path = "../../examples/own_agent.rs"]
mod own_agent;
#[path = "../../examples/own_planner.rs"]
mod own_planner;
#[path = "../../examples/own_sensor.rs"]
mod own_sensor;
#[path = "../../examples/path.rs"]
mod path;
#[path = "../../examples/units.rs"]
mod units;

#[test]
fn agents_runs() {
    agents::main().expect("an example that works");
}

#[test]
fn build_save_open_runs() {
    build_save_open::main().expect("an example that works");
}

#[test]
fn edits_runs() {
    edits::main().expect("an example that works");
}

#[test]
fn frame_budget_runs() {
    frame_budget::main().expect("an example that works");
}

#[test]
fn own_agent_runs() {
    own_agent::main().expect("an example that works");
}

#[test]
fn own_planner_runs() {
    own_planner::main().expect("an example that works");
}

#[test]
fn own_sensor_runs() {
    own_sensor::main().expect("an example that works");
}

#[test]
fn path_runs() {
    path::main().expect("an example that works");
}

#[test]
fn units_runs() {
    units::main().expect("an example that works");
}
