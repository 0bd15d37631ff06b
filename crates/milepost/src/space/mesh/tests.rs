//! Random meshes against brute force: location, nearest points, straight lines, moves along the surface, components.

use super::geometry::{FinePoint, LatticePoint, holds, nearest_inside, orient_fine};
use super::walk::meets;
use super::*;
use crate::core::Rng;
use crate::space::{Edit, EditError, EditReason, Reach};

/// A grid of triangles and squares with holes, whose vertices may be pushed about; some areas, some blocked.
pub(crate) fn random_mesh(rng: &mut Rng) -> NavMesh {
    loop {
        if let Ok(mesh) = NavMesh::from_parts(random_parts(rng)) {
            return mesh;
        }
    }
}

pub(crate) fn random_parts(rng: &mut Rng) -> MeshParts {
    let (width, height, holes) = (1 + rng.below(6), 1 + rng.below(6), rng.below(50));
    let jitter = rng.below(2) * 5;
    let mut vertices = Vec::new();
    for y in 0..=height {
        for x in 0..=width {
            let mut push = |at: u32| f64::from(at) * 2.0 + f64::from(rng.below(jitter + 1)) / 8.0;
            vertices.push(Position::new(push(x), push(y), 0.0));
        }
    }
    let corner = |x: u32, y: u32| y * (width + 1) + x;
    let mut polygons = Vec::new();
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let square = [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)];
        if rng.below(100) < holes {
            continue;
        }
        let [a, b, c, d] = square;
        let pieces = match rng.below(3) {
            0 if jitter == 0 => vec![vec![a, b, c, d]],
            1 => vec![vec![a, b, c], vec![a, c, d]],
            _ => vec![vec![a, b, d], vec![b, c, d]],
        };
        polygons.extend(pieces.into_iter().filter(|_| rng.below(100) >= holes / 3));
    }
    if rng.chance(1, 3) {
        polygons.iter_mut().for_each(|list| list.reverse());
    }
    let mut parts = MeshParts::flat(vertices, polygons);
    parts.area_kinds = vec![
        MeshArea::new("ground", 100),
        MeshArea::new("mud", 250),
        MeshArea::new("road", 50),
        MeshArea::blocked("door"),
    ];
    let kinds = if rng.chance(1, 2) { 1 } else { 4 };
    parts.areas = parts.polygons.iter().map(|_| rng.below(kinds) as u16).collect();
    parts
}

/// Points that matter: on vertices, on edges, inside, outside.
fn random_point(mesh: &NavMesh, rng: &mut Rng) -> Position {
    let (low, high) = mesh.bounds();
    let vertex = |rng: &mut Rng| mesh.vertices()[rng.below(mesh.vertices().len() as u32) as usize];
    match rng.below(4) {
        0 => vertex(rng),
        1 => {
            let polygon = StateId::new(rng.below(mesh.polygon_count()));
            let corners = mesh.polygon(polygon);
            let place = rng.below(corners.len() as u32) as usize;
            let (a, b) = (corners[place], corners[(place + 1) % corners.len()]);
            let (a, b) = (mesh.vertices()[a as usize], mesh.vertices()[b as usize]);
            let share = f64::from(rng.below(9)) / 8.0;
            Position::new(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, 0.0)
        }
        _ => {
            let mut between = |low: f64, high: f64| {
                low - 0.5 + (high - low + 1.0) * f64::from(rng.below(1 << 20)) / f64::from(1 << 20)
            };
            Position::new(between(low.x, high.x), between(low.y, high.y), 0.0)
        }
    }
}

fn holding(mesh: &NavMesh, at: Position) -> Vec<u32> {
    let point = mesh.fine(at).expect("near the mesh");
    (0..mesh.polygon_count()).filter(|&polygon| holds(mesh.body.shape.corners(polygon), point)).collect()
}

#[test]
fn location_finds_every_polygon_that_holds_a_point_and_nearest_points_are_nearest() {
    let mut rng = Rng::new(22);
    let mut found_on_borders = 0;
    for _ in 0..400 {
        let mesh = random_mesh(&mut rng);
        for _ in 0..25 {
            let at = random_point(&mesh, &mut rng);
            let found: Vec<u32> = mesh.polygons_at(at).into_iter().map(StateId::number).collect();
            assert_eq!(found, holding(&mesh, at), "{at:?}");
            found_on_borders += u32::from(found.len() > 1);
            let distance = |point: MeshPoint| (point.at.x - at.x).hypot(point.at.y - at.y);
            let point = mesh.fine(at).expect("near the mesh");
            let components: Vec<Option<u32>> = std::iter::once(None)
                .chain(mesh.free_states().take(3).map(|state| mesh.component(state)))
                .collect();
            for component in components {
                let asked = |polygon: &StateId| component.is_none() || mesh.component(*polygon) == component;
                let near = match component {
                    None => mesh.nearest(at),
                    Some(component) => mesh.nearest_in_component(at, component),
                };
                let each = mesh.free_states().filter(asked).map(|polygon| {
                    let point = mesh.body.shape.nearest_in(polygon.number(), point);
                    distance(mesh.mesh_point(polygon.number(), point))
                });
                let least = each.fold(f64::INFINITY, f64::min);
                let Some(near) = near else {
                    assert!(least.is_infinite());
                    continue;
                };
                assert!((distance(near) - least).abs() < 1e-6, "{at:?}: {near:?}, {least}");
                assert!(mesh.is_free(near.polygon) && asked(&near.polygon));
                assert!(mesh.polygons_at(near.at).contains(&near.polygon), "{near:?} is held by its polygon");
            }
        }
    }
    assert!(found_on_borders > 1000, "{found_on_borders}");
}

/// A line is clear if every piece of it between two borders lies in some polygon, and polygons on both sides of each border
/// are joined there.
fn is_clear_by_pieces(mesh: &NavMesh, from: MeshPoint, to: Position) -> bool {
    let shape = &mesh.body.shape;
    let (start, end) = (mesh.fine(from.at).expect("inside"), mesh.fine(to).expect("near"));
    // Polygons that can be reached, by looking through all portals that the line meets until nothing is new.
    let mut reached = vec![false; shape.len()];
    reached[from.polygon.index()] = true;
    loop {
        let mut is_new = false;
        for polygon in (0..shape.len() as u32).filter(|&polygon| mesh.is_open(polygon)) {
            for edge in shape.edges(polygon) {
                let beyond = shape.beyond[edge];
                if beyond == WALL || !reached[beyond as usize] || reached[polygon as usize] {
                    continue;
                }
                let (a, b) = shape.edge_ends(polygon, edge);
                if meets((start, end), (a.fine(), b.fine())) {
                    reached[polygon as usize] = true;
                    is_new = true;
                }
            }
        }
        if !is_new {
            break;
        }
    }
    (0..shape.len() as u32).any(|polygon| reached[polygon as usize] && shape.holds(polygon, end))
}

#[test]
fn straight_lines_end_where_walls_are() {
    let mut rng = Rng::new(23);
    let (mut clear, mut cut) = (0, 0);
    for _ in 0..400 {
        let mesh = random_mesh(&mut rng);
        let sampler = mesh.sampler(|_| true);
        for _ in 0..30 {
            let Some(drawn) = sampler.draw(&mut rng) else { break };
            let from = match mesh.nearest(random_point(&mesh, &mut rng)) {
                Some(near) if rng.chance(1, 2) => near,
                _ => drawn,
            };
            let to = random_point(&mesh, &mut rng);
            let cast = mesh.ray_cast(from, to).expect("the polygon holds the point");
            assert_eq!(cast.is_clear, is_clear_by_pieces(&mesh, from, to), "{from:?} -> {to:?}");
            assert!(mesh.polygons_at(cast.end.at).contains(&cast.end.polygon));
            let whole = (to.x - from.at.x).hypot(to.y - from.at.y);
            let reached = (cast.end.at.x - from.at.x).hypot(cast.end.at.y - from.at.y);
            assert!(reached <= whole + 1e-6);
            // Every point before the end lies in a free polygon, and if the line is cut, one just behind it in none that is joined.
            for share in 0..=16 {
                let share = f64::from(share) / 16.0;
                let at = |a: f64, b: f64| a + (b - a) * share;
                let point = Position::new(at(from.at.x, cast.end.at.x), at(from.at.y, cast.end.at.y), 0.0);
                let near = mesh.nearest(point).expect("free polygons");
                assert!(
                    (near.at.x - point.x).hypot(near.at.y - point.y) < 1e-5,
                    "{from:?} -> {to:?}: {point:?}"
                );
            }
            if cast.is_clear {
                clear += 1;
            } else {
                cut += 1;
                let again = mesh.ray_cast(cast.end, to).expect("the end is held");
                let onward = (again.end.at.x - cast.end.at.x).hypot(again.end.at.y - cast.end.at.y);
                assert!(onward < 1e-4 || whole < 1e-4 || onward <= whole, "{from:?} -> {to:?}");
            }
        }
    }
    assert!(clear > 1000 && cut > 1000, "{clear} {cut}");
}

#[test]
fn moves_along_the_surface_end_at_the_nearest_point_that_is_joined() {
    let mut rng = Rng::new(24);
    let mut slid = 0;
    for _ in 0..300 {
        let mesh = random_mesh(&mut rng);
        for _ in 0..20 {
            let Some(from) = mesh.sampler(|_| true).draw(&mut rng) else { break };
            let to = random_point(&mesh, &mut rng);
            let end = mesh.move_along(from, to).expect("the polygon holds the point");
            assert!(mesh.polygons_at(end.at).contains(&end.polygon));
            assert_eq!(
                mesh.component(end.polygon),
                mesh.component(from.polygon),
                "never into another component"
            );
            let distance = |at: Position| (at.x - to.x).hypot(at.y - to.y);
            assert!(distance(end.at) <= distance(from.at) + 1e-6, "never away from the place");
            let cast = mesh.ray_cast(from, to).expect("the polygon holds the point");
            assert!(
                distance(end.at) <= distance(cast.end.at) + 1e-6,
                "at least as near as the straight line leads"
            );
            if cast.is_clear {
                assert!(distance(end.at) < 1e-6);
            } else {
                slid += 1;
            }
        }
    }
    assert!(slid > 1000, "{slid}");
}

#[test]
fn components_are_those_of_a_flood_over_shared_edges() {
    let mut rng = Rng::new(25);
    for _ in 0..300 {
        let mesh = random_mesh(&mut rng);
        for from in mesh.free_states() {
            let (mut seen, mut stack) = (vec![false; mesh.id_bound()], vec![from]);
            while let Some(polygon) = stack.pop() {
                if !std::mem::replace(&mut seen[polygon.index()], true) {
                    stack.extend(mesh.neighbours(polygon).flatten().filter(|&next| mesh.is_free(next)));
                }
            }
            for to in mesh.free_states() {
                let expected = if seen[to.index()] { Reach::Always } else { Reach::Never };
                assert_eq!(mesh.reach(from, to), expected);
                assert_eq!(mesh.component(from) == mesh.component(to), seen[to.index()]);
            }
        }
    }
}

#[test]
fn drawn_points_lie_in_free_polygons_in_proportion_to_their_areas() {
    let at = |x: f64, y: f64| Position::new(x, y, 0.0);
    let vertices = vec![at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0), at(4.0, 0.0), at(4.0, 1.0)];
    let mesh = NavMesh::new(vertices, vec![vec![0, 1, 2, 3], vec![1, 4, 5, 2]], &[]).expect("two rectangles");
    let (mut rng, mut right) = (Rng::new(3), 0);
    for _ in 0..4000 {
        let drawn = mesh.sampler(|_| true).draw(&mut rng).expect("two polygons");
        right += u32::from(drawn.polygon == StateId::new(1));
        assert!(mesh.polygons_at(drawn.at).contains(&drawn.polygon));
    }
    assert!((2850..3150).contains(&right), "{right} of 4000 in three quarters of the area");
    assert_eq!(mesh.sampler(|_| false).draw(&mut rng), None);
}

#[test]
fn the_nearest_lattice_point_of_a_polygon_is_found_also_in_slivers() {
    let mut rng = Rng::new(26);
    let mut slivers = 0;
    while slivers < 3000 {
        let mut corner = || LatticePoint::new(rng.below(40) as i32, rng.below(40) as i32);
        let mut corners = [corner(), corner(), corner()];
        let [a, b, c] = corners;
        let area = orient_fine(a.fine(), b.fine(), c.fine());
        if area == 0 {
            continue;
        }
        if area < 0 {
            corners.swap(1, 2);
        }
        slivers += 1;
        let to = FinePoint {
            x: i64::from(rng.below(50 << 20)) - (5 << 20),
            y: i64::from(rng.below(50 << 20)) - (5 << 20),
        };
        let inside = (0..40).flat_map(|y| (0..40).map(move |x| LatticePoint::new(x, y)));
        let least =
            inside.filter(|at| holds(&corners, at.fine())).map(|at| at.fine().square_distance(to)).min();
        assert_eq!(Some(nearest_inside(&corners, to).fine().square_distance(to)), least);
    }
}

#[test]
fn a_mesh_is_put_on_the_coarsest_lattice_on_which_no_polygon_collapses() {
    let at = |x: f64, y: f64| Position::new(x, y, 0.0);
    let mesh = |thin: f64| {
        let vertices = vec![at(0.0, 0.0), at(8.0, 0.0), at(8.0, thin), at(0.0, thin)];
        NavMesh::new(vertices, vec![vec![0, 1, 2, 3]], &[])
    };
    for (thin, step) in [(1.0, 16.0), (0.25, 16.0), (0.02, 64.0), (0.003, 256.0)] {
        assert_eq!(mesh(thin).expect("a rectangle").unit_and_step(), (1.0, 1.0 / step), "{thin}");
    }
    assert!(matches!(mesh(1e-12), Err(MeshError::TooFine { polygon: 0, .. })));
    assert!(matches!(mesh(1e9), Err(MeshError::TooWide { .. })));
}

#[test]
fn what_is_broken_is_refused_by_the_number_of_its_polygon() {
    let at = |x: f64, y: f64| Position::new(x, y, 0.0);
    let square = || vec![at(0.0, 0.0), at(4.0, 0.0), at(4.0, 4.0), at(0.0, 4.0), at(1.0, 1.0), at(2.0, 0.0)];
    let refused = |polygons: &[&[u32]]| {
        let polygons = polygons.iter().map(|list| list.to_vec()).collect();
        NavMesh::new(square(), polygons, &[]).expect_err("broken")
    };
    assert_eq!(refused(&[]), MeshError::Empty);
    assert_eq!(refused(&[&[0, 1]]), MeshError::TooFewVertices { polygon: 0, vertices: 2 });
    assert_eq!(refused(&[&[0, 1, 9]]), MeshError::NoSuchVertex { polygon: 0, vertex: 9, vertices: 6 });
    assert_eq!(refused(&[&[0, 1, 2, 0]]), MeshError::RepeatedVertex { polygon: 0, vertex: 0 });
    assert_eq!(refused(&[&[0, 1, 5]]), MeshError::ZeroArea { polygon: 0 });
    assert_eq!(refused(&[&[0, 1, 4, 3]]), MeshError::NotConvex { polygon: 0, vertex: 4 });
    assert_eq!(refused(&[&[0, 1, 2], &[3, 2, 0]]), MeshError::MixedWinding { polygon: 1 });
    let twice = MeshError::NonManifold { from: 0, to: 1, first: 0, second: 1 };
    assert_eq!(refused(&[&[0, 1, 2], &[0, 1, 3]]), twice);
    assert!(refused(&[&[0, 1, 2], &[0, 1, 3]]).to_string().contains("#0, #1"));
    let mut broken = square();
    broken[2].y = f64::NAN;
    assert!(matches!(
        NavMesh::new(broken, vec![vec![0, 1, 2]], &[]),
        Err(MeshError::NotFinite { vertex: 2, .. })
    ));

    let parts = || MeshParts::flat(square(), vec![vec![0, 1, 2], vec![0, 2, 3]]);
    let with = |neighbours: [[Option<u32>; 3]; 2]| {
        let neighbours = Some(neighbours.map(|list| list.to_vec()).to_vec());
        NavMesh::from_parts(MeshParts { neighbours, ..parts() })
    };
    assert_eq!(with([[None, None, Some(1)], [Some(0), None, None]]).expect("as it is").component_count(), 1);
    assert_eq!(with([[None; 3]; 2]).expect("a wall between them").component_count(), 2);
    let not_shared = MeshError::NoSharedEdge { polygon: 0, edge: 0, neighbour: 1 };
    assert_eq!(with([[Some(1), None, None], [None; 3]]).expect_err("not shared"), not_shared);
    let one_sided = MeshError::OneSidedWall { polygon: 0, edge: 2, neighbour: 1 };
    assert_eq!(with([[None, None, Some(1)], [None; 3]]).expect_err("one-sided"), one_sided);
    let areas = NavMesh::from_parts(MeshParts { areas: vec![0, 7], ..parts() });
    assert_eq!(areas.expect_err("no such area"), MeshError::NoSuchArea { polygon: 1, area: 7, areas: 1 });
    let costs = NavMesh::new(square(), vec![vec![0, 1, 2]], &[100_001]).expect_err("too dear");
    assert!(costs.to_string().ends_with("areas cost 0.01 to 1000"));
    let many: Vec<u32> = (1..=70_000).collect();
    let many = NavMesh::new(square(), vec![vec![0, 1, 2]; 70_000], &many).expect_err("numbers of 16 bits");
    assert_eq!(many, MeshError::TooManyAreas { areas: 70_000 });
}

#[test]
fn ways_that_no_number_has_room_for_are_refused_and_edits_that_make_them_so() {
    let mesh = |side: f64, cost: u32| {
        let at = |x: f64, y: f64| Position::new(x * side, y * side, 0.0);
        let vertices = vec![at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)];
        NavMesh::new(vertices, vec![vec![0, 1, 2], vec![0, 2, 3]], &[cost; 2])
    };
    let (low, dear) = (MeshArea::USUAL_COST, MeshArea::GREATEST_COST);
    let (from, to) = (StateId::new(0), StateId::new(1));
    let wide = mesh(33_554_430.0, low).expect("as wide as can be");
    let cost = wide.step_cost(from, to, None).map(|cost| wide.scale().to_f64(cost));
    assert!(cost.is_some_and(|cost| (1.5e7..1.7e7).contains(&cost)), "{cost:?}");
    assert_eq!(mesh(33_554_430.0, dear).expect_err("dear"), MeshError::TooDear { from: 0, to: 1 });
    let edits = [0, 1].map(|polygon| Edit::Area { polygon: StateId::new(polygon), cost: dear });
    let refused = wide.edited(&edits).expect_err("as dear");
    assert_eq!(refused, EditError { place: 1, reason: EditReason::TooDear { from, to } });
    assert_eq!(
        wide.with_areas(&[("1", Some(dear))]).expect_err("as dear"),
        MeshError::TooDear { from: 0, to: 1 }
    );
    assert!(matches!(mesh(1e300, low), Err(MeshError::TooWide { .. })));
}

#[test]
fn a_link_costs_what_it_says_or_is_refused() {
    let mesh = |unit: f64, cost: u32| {
        let at = |x: f64, y: f64| Position::new(x * unit, y * unit, 0.0);
        let square = |x: f64| [at(x, 0.0), at(x + 2.0, 0.0), at(x + 2.0, 2.0), at(x, 2.0)];
        let vertices = [square(0.0), square(5.0)].concat();
        let mut parts = MeshParts::flat(vertices, vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]]);
        parts.unit = unit;
        parts.links =
            vec![MeshLink { from: at(2.0, 1.0).into(), to: at(5.0, 1.0).into(), cost, both_ways: true }];
        NavMesh::from_parts(parts)
    };
    for (unit, cost) in [(1.0, 1), (1.0, u32::MAX), (0.02, u32::MAX), (1e-6, 100_000), (1e-9, 214)] {
        let mesh = mesh(unit, cost).expect("a link");
        let walked =
            mesh.step_cost(StateId::new(0), StateId::new(1), None).map(|cost| mesh.scale().to_f64(cost));
        let expected = f64::from(cost) / 100.0 + 2.0 * unit;
        assert!(
            walked.is_some_and(|walked| (walked - expected).abs() < 1e-4 * expected.max(1.0)),
            "{unit} {cost}: {walked:?}"
        );
    }
    for (unit, cost) in [(0.019, u32::MAX), (1e-9, 215), (1e-9, u32::MAX), (1e-200, 1)] {
        let refused = mesh(unit, cost).expect_err("too dear");
        assert!(matches!(refused, MeshError::DearLink { link: 0, .. }), "{unit} {cost}: {refused}");
    }
}

#[test]
fn polygons_that_go_round_clockwise_are_turned_with_their_neighbours() {
    let mut rng = Rng::new(27);
    for _ in 0..200 {
        let parts = random_mesh(&mut rng).to_parts();
        let mut turned = parts.clone();
        for (list, neighbours) in turned.polygons.iter_mut().zip(turned.neighbours.iter_mut().flatten()) {
            list.reverse();
            neighbours.reverse();
            neighbours.rotate_left(1);
        }
        let (mesh, again) =
            (NavMesh::from_parts(parts).expect("a mesh"), NavMesh::from_parts(turned).expect("turned"));
        assert_eq!((mesh.hash(), mesh.to_parts()), (again.hash(), again.to_parts()));
    }
}

#[test]
fn heights_choose_the_floor_and_without_one_it_is_the_lowest() {
    let at = Position::new;
    let vertices = vec![
        at(0.0, 0.0, 0.0),
        at(4.0, 0.0, 0.0),
        at(4.0, 4.0, 2.0),
        at(0.0, 4.0, 2.0),
        at(0.0, 0.0, 9.0),
        at(4.0, 0.0, 9.0),
        at(4.0, 4.0, 9.0),
        at(0.0, 4.0, 9.0),
    ];
    let mesh = NavMesh::new(vertices, vec![vec![4, 5, 6, 7], vec![0, 1, 2], vec![0, 2, 3]], &[])
        .expect("two floors");
    let found = |z: f64| mesh.polygons_at(at(2.0, 2.0, z)).iter().map(|id| id.number()).collect::<Vec<_>>();
    assert_eq!((found(8.0), found(1.5), found(f64::NAN)), (vec![0], vec![1, 2], vec![1, 2]));
    let near = |z: f64| mesh.nearest(at(5.0, 3.0, z)).map(|point| (point.polygon.number(), point.at.z));
    assert_eq!(near(8.0), Some((0, 9.0)));
    assert!(near(1.0).is_some_and(|(polygon, z)| polygon == 1 && (z - 1.5).abs() < 1e-9));
}
