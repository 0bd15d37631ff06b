//! Whatever the bytes, the readers of problems on meshes answer with problems or an error, and problems that were read survive being
//! written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use milepost_maps::{MeshProblem, mesh_scenario, scenario};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(problems) = mesh_scenario::read(bytes) {
        let again = mesh_scenario::read(mesh_scenario::write(&problems).as_bytes())
            .expect("a scenario we wrote must be readable");
        let same = |(a, b): (&MeshProblem, &MeshProblem)| (a.from, a.to, a.cost) == (b.from, b.to, b.cost);
        assert!(problems.len() == again.len() && problems.iter().zip(&again).all(same), "problems changed");
    }
    let _ = scenario::read_points(bytes);
});
