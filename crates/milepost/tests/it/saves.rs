//! Saved agents: what they are made of, what restoring takes, and what comes of saves that were forged.
//!
//! One table over the catalog: agents that know the map, and agents by sight.

use crate::support::saves::{
    World, content_of, forged, golden_worlds, varint, varint_at, with_content, with_layout, worlds,
};
use milepost::{Budget, Rng, Scratch, StateId, Step};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// Restoring allocates at most so many bytes for each byte of a save: an entry of a table takes two bytes or more, and may
/// be the first one of a page and of the nodes that lead there.
const PER_BYTE: u64 = 1024;

/// And so many for an agent that remembers nothing.
const AGENT: u64 = 4096;

/// Numbers that lengths, ids, costs and parameters are replaced by.
const NUMBERS: [u64; 9] = [0, 1, 2, 127, 128, 0xffff, 0x7fff_ffff, u32::MAX as u64, u64::MAX];

#[test]
fn another_layout_is_refused_with_both_numbers() {
    for world in worlds() {
        for (name, save) in world.saves(&[2]) {
            for found in [1, 2, 3, 255] {
                let error = world.restore(&with_layout(&save, found)).expect_err(name).to_string();
                let expected = format!("expected layout 6 of saved agents, found layout {found}");
                assert!(error.contains(&expected), "{name}: {error}");
            }
        }
    }
}

#[test]
fn what_is_no_save_or_of_another_map_is_refused() {
    let (worlds, mut wrong) = (worlds(), BTreeSet::new());
    for world in &worlds {
        let error = world.restore(b"no agent").expect_err("no agent");
        assert!(error.to_string().contains("begins with `MPAG`"), "{error}");
        for (name, save) in worlds.iter().flat_map(|world| world.saves(&[2])) {
            let has_made_it = world.saves(&[2]).contains(&(name, save.clone()));
            if world.restore(&save).is_ok() != has_made_it {
                wrong.insert(name);
            }
        }
    }
    assert!(wrong.is_empty(), "restored on another map: {wrong:?}");
}

#[test]
fn saves_that_were_changed_or_cut_are_errors() {
    let mut rng = Rng::new(73);
    for world in worlds() {
        for (name, save) in world.saves(&[3, 7]) {
            for at in 0..save.len() {
                let mut changed = save.clone();
                changed[at] ^= 1 + rng.below(255) as u8;
                assert!(world.restore(&changed).is_err(), "{name}: byte {at}");
                assert!(world.restore(&save[..at]).is_err(), "{name}: cut at {at}");
            }
        }
    }
}

/// Every number, and so every length, is replaced by others, and the checksum put right.
#[test]
fn restoring_allocates_at_most_a_constant_times_the_bytes_of_a_save() {
    let mut worst = (0, String::new());
    for world in worlds() {
        for (name, save) in world.saves(&[0, 3, 7]) {
            let mut check = |bytes: &[u8]| {
                let counted = allocation_counter::measure(|| drop(world.restore(bytes)));
                let most = AGENT + PER_BYTE * bytes.len() as u64;
                let allocated = counted.bytes_total;
                assert!(allocated <= most, "{name}: {allocated} for {} bytes", bytes.len());
                let per_byte = allocated.saturating_sub(AGENT) / bytes.len() as u64;
                if per_byte > worst.0 {
                    worst = (per_byte, name.to_owned());
                }
            };
            check(&save);
            let content = content_of(&save);
            for at in 0..content.len() {
                for number in NUMBERS {
                    check(&with_content(&save, &with_number(content, at, number)));
                }
            }
        }
    }
    println!("at most {} bytes for each byte of a save: {}", worst.0, worst.1);
}

fn with_number(content: &[u8], at: usize, number: u64) -> Vec<u8> {
    let mut changed = content.to_vec();
    changed.splice(varint_at(content, at), varint(number));
    changed
}

/// Every byte is changed, and every number replaced by others, and the checksum put right. Such an agent may think or walk
/// for ever, but each of its steps keeps to what is stated, and its moves are those of the map.
#[test]
fn forged_saves_neither_panic_nor_exceed_their_limits() {
    let mut rng = Rng::new(74);
    let mut scratch = Scratch::new();
    let mut failed = BTreeSet::new();
    for world in worlds() {
        let mut check = |name, save: &[u8], content: &[u8], most_steps: usize| {
            let bytes = with_content(save, content);
            let walk = || world.walk_forged(&bytes, &mut scratch, most_steps);
            if catch_unwind(AssertUnwindSafe(walk)).is_err() {
                scratch = Scratch::new();
                failed.insert((world.label(), name));
            }
        };
        for (name, save) in world.saves(&[0, 3, 7]) {
            let content = content_of(&save);
            for at in 0..content.len() {
                let mut changed = content.to_vec();
                changed[at] ^= 1 + rng.below(255) as u8;
                check(name, &save, &changed, 300);
                for number in NUMBERS {
                    check(name, &save, &with_number(content, at, number), 30);
                }
            }
        }
        for (name, save) in world.saves(&[1, 2, 4, 5, 9, 12]) {
            for _ in 0..100 {
                let forged = forged(&save, &mut rng);
                check(name, &save, content_of(&forged), 100);
            }
        }
    }
    assert!(failed.is_empty(), "see the messages above: {failed:?}");
}

/// The saves of a fixed journey, as they were when this layout was fixed. What is read here was written by an earlier
/// program: a save is kept in a saved game.
#[test]
fn golden_saves_are_what_they_were() {
    let is_written = std::env::var_os("MILEPOST_GOLDEN").is_some_and(|how| how == "write");
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/saves");
    let (mut wrong, mut files) = (Vec::new(), Vec::new());
    for world in golden_worlds() {
        let with_defaults = |(name, _): &(&str, Vec<u8>)| !name.contains(':');
        for (name, save) in world.saves_of_least_steps(&[6]).into_iter().filter(with_defaults) {
            let file = format!("{}-{name}.save", world.label());
            let path = folder.join(&file);
            files.push(file.clone());
            if is_written {
                std::fs::create_dir_all(&folder).expect("a folder");
                std::fs::write(&path, &save).expect("a file");
            }
            let Ok(golden) = std::fs::read(&path) else {
                wrong.push(format!("`{name}` has no golden save {file}: run `cargo xtask golden`"));
                continue;
            };
            if golden != save {
                wrong.push(format!(
                    "`{name}` is saved otherwise than in {file} ({} bytes, then {}): a field that was changed needs a new \
                     layout number in agent/base/save.rs, and `cargo xtask golden`",
                    save.len(),
                    golden.len(),
                ));
            }
            goes_on(&world, name, &golden, &save, &mut wrong);
        }
    }
    let listed = std::fs::read_dir(&folder).expect("the golden saves");
    for file in listed.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()) {
        if !files.contains(&file) {
            wrong.push(format!("{file} is the golden save of no agent"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// An agent that is restored from a golden save walks as one that was saved now.
fn goes_on(world: &World, name: &str, golden: &[u8], save: &[u8], wrong: &mut Vec<String>) {
    let mut scratch = Scratch::new();
    let mut trail = |bytes: &[u8]| -> Result<Vec<StateId>, String> {
        let mut agent = world.restore(bytes).map_err(|error| error.to_string())?;
        let mut trail = Vec::new();
        loop {
            match world.step(&mut *agent, &mut scratch, &mut Budget::unlimited()) {
                Step::Move(to) => trail.push(to),
                Step::Thinking => {}
                Step::Arrived => return Ok(trail),
                other => return Err(format!("{other:?}")),
            }
        }
    };
    match (trail(golden), trail(save)) {
        (Ok(then), Ok(now)) if then == now => {}
        (then, now) => wrong.push(format!("`{name}` goes on otherwise: {then:?}, now {now:?}")),
    }
}
