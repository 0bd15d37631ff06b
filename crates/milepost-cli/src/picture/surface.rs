//! What pictures are drawn on: pixels, or the shapes of an SVG file.

/// Red, green, blue.
pub(crate) type Colour = [u8; 3];

/// Takes shapes, those that come later over those that came before. Coordinates are pixels from the top left corner.
pub(crate) trait Surface {
    /// Fills a rectangle; what lies outside is cut off.
    fn rectangle(&mut self, at: (u32, u32), size: (u32, u32), colour: Colour);

    /// A line with round ends between two places, `radius` to each side.
    fn line(&mut self, from: (f32, f32), to: (f32, f32), radius: f32, colour: Colour);

    /// A hexagon that stands on its tip, so wide from side to side.
    fn hexagon(&mut self, middle: (f32, f32), width: f32, colour: Colour);

    /// A hexagon that lies on a side, so high from side to side.
    fn lying_hexagon(&mut self, middle: (f32, f32), height: f32, colour: Colour);

    /// A rhombus that stands on its tip, half as high as wide.
    fn rhombus(&mut self, middle: (f32, f32), width: f32, colour: Colour);

    /// Fills a convex polygon.
    fn polygon(&mut self, corners: &[(f32, f32)], colour: Colour);

    /// Words from a top left corner on, each letter `size` wide and high.
    fn text(&mut self, at: (u32, u32), size: u32, words: &str, colour: Colour);

    /// A square that stands on its tip, `radius` from its middle to each tip.
    fn diamond(&mut self, middle: (f32, f32), radius: f32, colour: Colour);

    /// A disc.
    fn disc(&mut self, at: (f32, f32), radius: f32, colour: Colour) {
        self.line(at, at, radius, colour);
    }
}

/// The colour that lies `share` of the way from one to another.
pub(crate) fn mix(from: Colour, to: Colour, share: f32) -> Colour {
    std::array::from_fn(|channel| {
        let (from, to) = (f32::from(from[channel]), f32::from(to[channel]));
        (from + (to - from) * share).round() as u8
    })
}
