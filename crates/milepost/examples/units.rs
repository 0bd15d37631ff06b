//! Two hundred units share what a frame can spend. Each gets a part of it; the unit that gets less than it needs is starved,
//! which changes nothing, and is the first one in the next frame. Doors open and close, and units that arrive get new goals.

use milepost::agent::{MapSensor, SensorRange};
use milepost::{Agent, Atlas, Budget, Edit, Grid, Point, Rng, Rule, Scratch, StateId, Step, catalog};

const SIDE: u32 = 48;
const FRAME: u64 = 6000;
const FRAMES: u32 = 1500;
const SHARE: u64 = 120;

/// A unit: its agent, and whether it knows the map.
struct Unit {
    agent: Box<dyn Agent>,
    knows_map: bool,
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Rooms of 11 x 11 cells; a door in the middle of each wall.
    let is_door = |x: u32, y: u32| x % 12 == 5 || y % 12 == 5;
    let grid = Grid::new(SIDE, SIDE, Rule::Octile, |x, y| x % 12 != 11 && y % 12 != 11 || is_door(x, y))?;
    let doors: Vec<Point> = (0..SIDE * SIDE)
        .map(|cell| (cell % SIDE, cell / SIDE))
        .filter(|&(x, y)| (x % 12 == 11) != (y % 12 == 11) && is_door(x, y))
        .map(|(x, y)| Point::new(x.into(), y.into()))
        .collect();
    let mut atlas = Atlas::new(grid);
    let rooms: Vec<StateId> =
        atlas.space().free_states().filter(|state| !doors.contains(&atlas.space().point(*state))).collect();
    let mut rng = Rng::new(7);
    let mut any = move || rooms[rng.below(rooms.len() as u32) as usize];

    let mut units = Vec::new();
    for (number, name) in (0..200).zip(["lss-lrta", "tba", "lrta-k", "replan", "frit-bfs"].iter().cycle()) {
        let kind = catalog::agent(name)?;
        let knows_map = kind.about().on_map;
        let agent = match knows_map {
            true => kind.start(&atlas, any(), any()),
            false => kind.start(&MapSensor::new(atlas.space(), SensorRange::default()), any(), any()),
        };
        assert!(agent.limits().min_units <= SHARE, "unit {number}, {name}: {:?}", agent.limits());
        units.push(Unit { agent, knows_map });
    }

    let mut scratch = Scratch::new();
    let (mut first, mut starved, mut arrived) = (0, 0, vec![0; units.len()]);
    for frame in 0..FRAMES {
        // A door opens or closes, unless a unit stands there.
        let door = doors[(frame * 5) as usize % doors.len()];
        let stands_there = |unit: &Unit| atlas.state_at(door) == Some(unit.agent.state());
        if frame % 20 == 0 && !units.iter().any(stands_there) {
            let is_open = atlas.state_at(door).is_some_and(|state| atlas.space().is_free(state));
            atlas = atlas.edited(&[if is_open { Edit::close(door) } else { Edit::open(door) }])?;
        }
        let mut left = FRAME;
        for place in 0..units.len() {
            let number = (first + place) % units.len();
            let Unit { agent, knows_map } = &mut units[number];
            let mut budget = Budget::units(SHARE.min(left));
            let step = match knows_map {
                true => agent.step(&atlas, &mut scratch, &mut budget),
                false => agent.step(
                    &MapSensor::new(atlas.space(), SensorRange::default()),
                    &mut scratch,
                    &mut budget,
                ),
            };
            left -= budget.spent();
            match step {
                Step::Move(_) | Step::Thinking => {}
                Step::Starved { min_units } => {
                    assert!(min_units > left, "{} had enough", agent.name());
                    (first, starved) = (number, starved + 1);
                    break;
                }
                // Doors have closed all ways, or one is the goal.
                Step::NoPath => {}
                Step::Arrived => {
                    arrived[number] += 1;
                    agent.retarget(any());
                }
                Step::Stopped | Step::Refused(_) => return Err(format!("{}: {step:?}", agent.name()).into()),
            }
        }
    }
    let least = arrived.iter().min().ok_or("no units")?;
    println!(
        "{} journeys, each unit at least {least}; in {starved} of {FRAMES} frames the budget was spent before all units had moved",
        arrived.iter().sum::<u32>()
    );
    assert!(starved > 0 && *least > 0, "every unit gets on, whatever the others do: {arrived:?}");
    Ok(())
}
