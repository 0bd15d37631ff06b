//! Whatever is changed in the save of an agent, its checksum put right again: it is refused, or the agent goes on within its limits
//! and makes moves of the map. Any other bytes are refused.
//!
//! The first two bytes choose a world and a sound save; then three bytes each say where and how to change it.

use crate::support::saves::{World, content_of, with_content, worlds};
use milepost::Scratch;
use std::sync::OnceLock;

/// After how many steps the agents are saved.
const STEPS: [usize; 3] = [0, 2, 7];
/// A forged agent may be lost for long: so many steps of it show enough.
const MOST_STEPS: usize = 60;

/// The worlds, each with its saves.
fn sound() -> &'static [(World, Vec<Vec<u8>>)] {
    static SAVES: OnceLock<Vec<(World, Vec<Vec<u8>>)>> = OnceLock::new();
    let saved = |world: World| {
        let saves = world.saves_of_least_steps(&STEPS).into_iter().map(|(_, save)| save).collect();
        (world, saves)
    };
    SAVES.get_or_init(|| worlds().into_iter().map(saved).collect())
}

pub(super) fn check(input: &[u8]) {
    let &[world, save, ref changes @ ..] = input else { return };
    let (world, saves) = &sound()[usize::from(world) % sound().len()];
    assert!(world.restore(input).is_err(), "no save, and taken for one");
    let save = &saves[usize::from(save) % saves.len()];
    let mut content = content_of(save).to_vec();
    for change in changes.chunks_exact(3) {
        let at = (usize::from(change[0]) | usize::from(change[1] & 0x1f) << 8) % content.len();
        match change[1] >> 5 {
            0 => content[at] = change[2],
            1 => content[at] ^= change[2],
            2 => content[at] = content[at].wrapping_add(change[2]),
            3 => content.insert(at, change[2]),
            4 if content.len() > 1 => {
                content.remove(at);
            }
            _ => {
                let other = usize::from(change[2]) % content.len();
                content.swap(at, other);
            }
        }
    }
    world.walk_forged(&with_content(save, &content), &mut Scratch::new(), MOST_STEPS);
}
