//! An SVG file: the shapes as they are, sharp at every size.

use super::surface::{Colour, Surface};
use std::fmt::Write as _;

/// Shapes, in the order in which they were drawn.
pub(super) struct Svg {
    text: String,
    /// A rectangle that the next one may go on.
    open: Option<Rectangle>,
}

struct Rectangle {
    at: (u32, u32),
    size: (u32, u32),
    colour: Colour,
}

impl Svg {
    pub(super) fn new((width, height): (u32, u32)) -> Svg {
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" stroke-linecap=\"round\">\n"
        );
        Svg { text, open: None }
    }

    /// The file.
    pub(super) fn finish(mut self) -> String {
        self.close();
        self.text.push_str("</svg>\n");
        self.text
    }

    fn close(&mut self) {
        if let Some(Rectangle { at: (x, y), size: (width, height), colour }) = self.open.take() {
            // Writing to a string cannot fail, here and below.
            let _ = writeln!(
                self.text,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{}\" \
                 shape-rendering=\"crispEdges\"/>",
                hexadecimal(colour)
            );
        }
    }
}

fn hexadecimal([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

impl Surface for Svg {
    /// Cells side by side that have one colour are one rectangle.
    fn rectangle(&mut self, at: (u32, u32), size: (u32, u32), colour: Colour) {
        if let Some(open) = &mut self.open
            && (open.at.1, open.size.1, open.colour) == (at.1, size.1, colour)
            && open.at.0 + open.size.0 == at.0
        {
            open.size.0 += size.0;
            return;
        }
        self.close();
        self.open = Some(Rectangle { at, size, colour });
    }

    fn line(&mut self, from: (f32, f32), to: (f32, f32), radius: f32, colour: Colour) {
        self.close();
        let colour = hexadecimal(colour);
        let _ = if from == to {
            writeln!(
                self.text,
                "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{radius:.2}\" fill=\"{colour}\"/>",
                from.0, from.1
            )
        } else {
            writeln!(
                self.text,
                "<line x1=\"{:.2}\" y1=\"{:.2}\" x2=\"{:.2}\" y2=\"{:.2}\" stroke=\"{colour}\" \
                 stroke-width=\"{:.2}\"/>",
                from.0,
                from.1,
                to.0,
                to.1,
                2.0 * radius
            )
        };
    }

    fn polygon(&mut self, corners: &[(f32, f32)], colour: Colour) {
        self.close();
        let corners: Vec<String> = corners.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect();
        let _ = writeln!(
            self.text,
            "<polygon points=\"{}\" fill=\"{}\"/>",
            corners.join(" "),
            hexadecimal(colour)
        );
    }

    fn hexagon(&mut self, (x, y): (f32, f32), width: f32, colour: Colour) {
        let (half, tip) = (width / 2.0, width / 3_f32.sqrt());
        let corners = [
            (x, y - tip),
            (x + half, y - tip / 2.0),
            (x + half, y + tip / 2.0),
            (x, y + tip),
            (x - half, y + tip / 2.0),
            (x - half, y - tip / 2.0),
        ];
        self.polygon(&corners, colour);
    }

    fn lying_hexagon(&mut self, (x, y): (f32, f32), height: f32, colour: Colour) {
        let (half, tip) = (height / 2.0, height / 3_f32.sqrt());
        let corners = [
            (x - tip, y),
            (x - tip / 2.0, y - half),
            (x + tip / 2.0, y - half),
            (x + tip, y),
            (x + tip / 2.0, y + half),
            (x - tip / 2.0, y + half),
        ];
        self.polygon(&corners, colour);
    }

    fn rhombus(&mut self, (x, y): (f32, f32), width: f32, colour: Colour) {
        let (half, tip) = (width / 2.0, width / 4.0);
        self.polygon(&[(x, y - tip), (x + half, y), (x, y + tip), (x - half, y)], colour);
    }

    fn diamond(&mut self, (x, y): (f32, f32), radius: f32, colour: Colour) {
        self.polygon(&[(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)], colour);
    }

    fn text(&mut self, (left, top): (u32, u32), size: u32, words: &str, colour: Colour) {
        self.close();
        let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        // As wide as the letters of a canvas, whatever font there is.
        let _ = writeln!(
            self.text,
            "<text x=\"{left}\" y=\"{}\" font-family=\"monospace\" font-size=\"{size}\" textLength=\"{}\" \
             lengthAdjust=\"spacingAndGlyphs\" fill=\"{}\">{words}</text>",
            top + size * 7 / 8,
            words.chars().count() as u32 * size,
            hexadecimal(colour)
        );
    }
}
