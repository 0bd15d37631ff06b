//! Whatever the bytes, the readers of problems on meshes answer with problems or an error, and problems that were read survive being
//! written and read again.

use milepost_maps::{MeshProblem, mesh_scenario, scenario};

pub(super) fn check(bytes: &[u8]) {
    if let Ok(problems) = mesh_scenario::read(bytes) {
        let again = mesh_scenario::read(mesh_scenario::write(&problems).as_bytes())
            .expect("a scenario we wrote must be readable");
        let same = |(a, b): (&MeshProblem, &MeshProblem)| (a.from, a.to, a.cost) == (b.from, b.to, b.cost);
        assert!(problems.len() == again.len() && problems.iter().zip(&again).all(same), "problems changed");
    }
    let _ = scenario::read_points(bytes);
}
