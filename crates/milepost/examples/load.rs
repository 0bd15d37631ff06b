//! x
use milepost::*;
use std::time::Instant;
fn main() {
    let p = std::env::args().nth(1).unwrap();
    for _ in 0..5 { let t = Instant::now(); let m = files::read_map(p.as_ref()).unwrap(); let a = t.elapsed(); let g = m.grid(Rule::Octile).unwrap();
    println!("read {:?}, all {:?}, {} comps, {} bytes, hash {:x}", a, t.elapsed(), g.components().count(), g.bytes(), g.hash());
    let t = Instant::now(); let g2 = g.edited(&[CellEdit { at: Point::new(300, 300), free: false }]); println!("edit {:?} {}", t.elapsed(), g2.states()); }
}
