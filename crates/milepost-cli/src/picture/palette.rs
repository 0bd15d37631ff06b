//! The colours of all pictures and plots, by what they mean. Those that meet on a map are told apart by lightness or shape
//! too, and are at least 18 apart (Lab, dE76) for every kind of colour vision; contrasts stand beside them.

use super::surface::Colour;

/// What legends and titles are written on, and with: 16.2 to 1; less important words 6.6 to 1.
pub(crate) const PAPER: Colour = [0xff, 0xff, 0xff];
pub(crate) const INK: Colour = [0x18, 0x21, 0x2c];
pub(crate) const SOFT_INK: Colour = [0x54, 0x5e, 0x6b];
/// The line between a map and its legend, and around samples.
pub(crate) const RULE: Colour = [0x8a, 0x90, 0x9c];

/// Ground, walls, and the edge between them: 5.0 to 1 to the ground, 3.4 to 1 to the wall.
pub(crate) const GROUND: Colour = [0xff, 0xfe, 0xfa];
pub(crate) const WALL: Colour = [0xd8, 0xd3, 0xc6];
pub(crate) const WALL_EDGE: Colour = [0x6a, 0x6f, 0x78];
/// Ground of the largest weight.
pub(crate) const HEAVY: Colour = [0x7f, 0x90, 0x70];
/// What was not seen is faint on purpose.
pub(crate) const FOG_GROUND: Colour = [0xd9, 0xd5, 0xca];
pub(crate) const FOG_WALL: Colour = [0xcb, 0xc6, 0xb9];
pub(crate) const FOG_EDGE: Colour = [0xb3, 0xad, 0x9e];
/// Around a map that is no rectangle on the picture, or narrower than its legend.
pub(crate) const OUTSIDE: Colour = WALL_EDGE;

/// States that were expanded: areas in two tones, which change from one band of costs to the next.
pub(crate) const CLOSED: Colour = [0xbf, 0xe0, 0xf6];
pub(crate) const BAND: Colour = [0xa6, 0xd1, 0xef];
/// The same as single dots, which have to be darker; planners in plots.
pub(crate) const ACCENT: Colour = [0x0b, 0x5c, 0xad];
/// States that were reached and not expanded: a line beside the blue.
pub(crate) const OPEN: Colour = [0xe6, 0x9f, 0x00];
/// Paths and goals, with a white edge: 5.3 to 1 to the ground.
pub(crate) const PATH: Colour = [0xc2, 0x3b, 0x06];
pub(crate) const EDGE: Colour = [0xff, 0xff, 0xff];
pub(crate) const START: Colour = [0x00, 0x67, 0x4b];
/// Jump points, jumps and subgoals: 6.1 to 1 to the ground.
pub(crate) const JUMP: Colour = [0xa8, 0x32, 0x7c];
/// Where an agent was once, two or three times, and more often: 2.2, 3.0 and 8.5 to 1.
pub(crate) const TRAIL: Colour = [0x58, 0xbf, 0x9f];
pub(crate) const AGAIN: Colour = [0xe0, 0x7a, 0x35];
pub(crate) const OFTEN: Colour = [0x8f, 0x26, 0x00];
/// Believed to be blocked, and free by now; seen when it was free, and blocked by now.
pub(crate) const BELIEVED_BLOCKED: Colour = [0xf0, 0xc4, 0x00];
pub(crate) const BELIEVED_FREE: Colour = [0x43, 0x10, 0x6b];

#[cfg(test)]
mod tests {
    use super::*;

    /// How much lighter one colour is than another, from 1 to 21, as the web's guidelines count it.
    fn contrast(one: Colour, other: Colour) -> f64 {
        let light = |colour: Colour| {
            let part = colour.map(|channel| {
                let share = f64::from(channel) / 255.0;
                if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
            });
            0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2] + 0.05
        };
        let (one, other) = (light(one), light(other));
        one.max(other) / one.min(other)
    }

    #[test]
    fn contrasts_are_as_stated() {
        for (one, other, stated) in [
            (INK, PAPER, 16.2),
            (SOFT_INK, PAPER, 6.6),
            (WALL_EDGE, GROUND, 5.0),
            (WALL_EDGE, WALL, 3.4),
            (PATH, GROUND, 5.3),
            (JUMP, GROUND, 6.1),
            (TRAIL, GROUND, 2.2),
            (AGAIN, GROUND, 3.0),
            (OFTEN, GROUND, 8.5),
        ] {
            let contrast = contrast(one, other);
            assert!((contrast - stated).abs() < 0.11, "{one:?} on {other:?}: {contrast:.2}, stated {stated}");
        }
    }
}
