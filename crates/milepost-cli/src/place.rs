//! Where a user points: at a cell, `X,Y`, at a voxel, `X,Y,Z`, at a point of a mesh, which the same spell in real numbers, or at a
//! node of a graph or a polygon of a mesh, `#ID`.

use milepost::Point;
use milepost_maps::MeshPlace;
use std::fmt;

/// A cell, a voxel, a point or a node, as it is spelled on the command line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Place {
    Cell(Point),
    Voxel([i64; 3]),
    /// With a fraction: on meshes alone. Its numbers are finite.
    Spot(MeshPlace),
    Node(u32),
}

/// Equality is total: no number of a place is NaN.
impl Eq for Place {}

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
                    _ => spot(text).map(Place::Spot),
                }
            }
        };
        place.ok_or_else(|| {
            "expected X,Y in whole numbers, such as 3,14, a voxel, such as 3,14,2, or a node of a graph, such as #15; on a \
             mesh X,Y or X,Y,Z may have fractions, such as 3.5,14.25"
                .to_owned()
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Cell(point) => write!(out, "{point}"),
            Place::Voxel([x, y, z]) => write!(out, "{x},{y},{z}"),
            Place::Spot(MeshPlace { x, y, z: None }) => write!(out, "{x},{y}"),
            Place::Spot(MeshPlace { x, y, z: Some(z) }) => write!(out, "{x},{y},{z}"),
            Place::Node(id) => write!(out, "#{id}"),
        }
    }
}

/// Reads `X,Y` or `X,Y,Z` in decimals.
fn spot(text: &str) -> Option<MeshPlace> {
    let decimal = |part: &str| {
        // The standard parser would accept words such as `inf`.
        let is_plain = part.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
        part.parse::<f64>().ok().filter(|number| is_plain && number.is_finite())
    };
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| decimal(part.trim())).collect();
    match *numbers.as_deref()? {
        [x, y] => Some(MeshPlace { x, y, z: None }),
        [x, y, z] => Some(MeshPlace { x, y, z: Some(z) }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_two_whole_numbers_voxels_three_and_nodes_one_and_points_have_fractions() {
        assert_eq!(Place::parse("3,14"), Ok(Place::Cell(Point::new(3, 14))));
        assert_eq!(Place::parse("-3, 14"), Ok(Place::Cell(Point::new(-3, 14))));
        assert_eq!(Place::parse("3,-14,15"), Ok(Place::Voxel([3, -14, 15])));
        assert_eq!(Place::parse("#15"), Ok(Place::Node(15)));
        let spot = |x, y, z| Ok(Place::Spot(MeshPlace { x, y, z }));
        assert_eq!(Place::parse("3.5,1"), spot(3.5, 1.0, None));
        assert_eq!(Place::parse("3,-1.25, 7e-1"), spot(3.0, -1.25, Some(0.7)));
        for text in ["", ",", "3", "3,", ",3", "3,4,5,6", "a,b", "3.5", "nan,1", "inf,0", "1e999,0", "3;4"] {
            assert!(Place::parse(text).is_err(), "{text}");
        }
        for text in ["#", "##1", "#-1", "#+1", "#1,2", "# 1", "#x", "#4294967296"] {
            assert!(Place::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn places_are_shown_as_they_are_spelled() {
        for text in ["3,14", "-3,14", "3,14,15", "3.5,14", "3.5,14,-0.25", "#15"] {
            assert_eq!(Place::parse(text).map(|place| place.to_string()), Ok(text.to_owned()));
        }
    }
}
