//! A cost overlay from a picture: the darker, the dearer.

use crate::failure::Failure;
use crate::input;
use crate::world::World;
use milepost::Overlay;
use milepost_maps::picture;
use std::path::Path;

/// The overlay in a PNG file: white multiplies by 1, black by 255, grey by what lies between.
pub(crate) fn open(path: &Path, world: &World) -> Result<Overlay, Failure> {
    let Some(grid) = world.grid() else {
        let message = format!("--overlay is for maps of cells, and {} is {}", world.name, world.kind());
        return Err(Failure::usage("not_for_this_map", message));
    };
    let bytes = input::read(path)?;
    let damaged = |error| Failure::damaged(path, format!("expected a PNG picture: {error}"));
    // The size is in the header: a picture that does not fit is refused before memory is taken for it.
    let (width, height) = picture::size(&bytes).map_err(damaged)?;
    if (width, height) != (grid.width(), grid.height()) {
        let (map_width, map_height) = (grid.width(), grid.height());
        let message = format!(
            "{}: the overlay is {width} x {height} and the map {map_width} x {map_height}; they must be equal",
            path.display()
        );
        return Err(Failure::usage("overlay_size", message));
    }
    let greys = picture::greys(&bytes).map_err(damaged)?;
    Overlay::new(grid, |x, y| factor(greys[y as usize * width as usize + x as usize]))
        .map_err(|error| Failure::damaged(path, error.to_string()))
}

/// 1 for white up to 255 for black and nearly black.
fn factor(grey: u8) -> u8 {
    (255 - grey).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_is_cheapest_and_black_dearest() {
        assert_eq!([255, 254, 128, 1, 0].map(factor), [1, 2, 128, 255, 255]);
    }
}
