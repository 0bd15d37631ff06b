//! Where a user points: at a cell, `X,Y`, at a voxel, `X,Y,Z`, or at a node of a graph, `#ID`.

use milepost::Point;
use std::fmt;

/// A cell, a voxel or a node, as it is spelled on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Cell(Point),
    Voxel([i64; 3]),
    Node(u32),
}

impl Place {
    /// Reads `X,Y`, `X,Y,Z` or `#ID`; whether there is such a place is for the map to say.
    pub(crate) fn parse(text: &str) -> Result<Place, String> {
        let place = match text.trim().strip_prefix('#') {
            // The standard parser would accept a plus.
            Some(id) => id
                .starts_with(|first: char| first.is_ascii_digit())
                .then(|| id.parse().ok())
                .flatten()
                .map(Place::Node),
            None => {
                let number = |part: &str| part.trim().parse::<i64>().ok();
                let numbers: Option<Vec<i64>> = text.split(',').map(number).collect();
                match numbers.as_deref() {
                    Some(&[x, y]) => Some(Place::Cell(Point::new(x, y))),
                    Some(&[x, y, z]) => Some(Place::Voxel([x, y, z])),
                    _ => None,
                }
            }
        };
        place.ok_or_else(|| {
            "expected X,Y in whole numbers, such as 3,14, a voxel, such as 3,14,2, or a node of a graph, such as #15"
                .to_owned()
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Cell(point) => write!(out, "{point}"),
            Place::Voxel([x, y, z]) => write!(out, "{x},{y},{z}"),
            Place::Node(id) => write!(out, "#{id}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_two_whole_numbers_voxels_three_and_nodes_one() {
        assert_eq!(Place::parse("3,14"), Ok(Place::Cell(Point::new(3, 14))));
        assert_eq!(Place::parse("-3, 14"), Ok(Place::Cell(Point::new(-3, 14))));
        assert_eq!(Place::parse("3,-14,15"), Ok(Place::Voxel([3, -14, 15])));
        assert_eq!(Place::parse("#15"), Ok(Place::Node(15)));
        for text in ["", ",", "3", "3,", ",3", "3,4,5,6", "a,b", "3.5,1", "99999999999999999999,0", "3;4"] {
            assert!(Place::parse(text).is_err(), "{text}");
        }
        for text in ["#", "##1", "#-1", "#+1", "#1,2", "# 1", "#x", "#4294967296"] {
            assert!(Place::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn places_are_shown_as_they_are_spelled() {
        for text in ["3,14", "-3,14", "3,14,15", "#15"] {
            assert_eq!(Place::parse(text).map(|place| place.to_string()), Ok(text.to_owned()));
        }
    }
}
