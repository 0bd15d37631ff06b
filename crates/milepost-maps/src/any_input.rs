//! What property tests of readers draw: small maps, and files that were damaged.

use crate::TileMap;
use proptest::prelude::*;
use proptest::sample::Index;

/// A small map of any letters.
pub(crate) fn any_map() -> impl Strategy<Value = TileMap> {
    (1u32..20, 1u32..20).prop_flat_map(|(width, height)| {
        let letters = prop::sample::select(b".GS@OTW".to_vec());
        prop::collection::vec(letters, (width * height) as usize)
            .prop_map(move |tiles| TileMap::new(width, height, tiles).expect("known letters"))
    })
}

/// One thing that may happen to a file.
#[derive(Clone, Debug)]
pub(crate) enum Damage {
    /// A byte becomes another one.
    Changed(Index, u8),
    /// A byte is put in.
    Inserted(Index, u8),
    /// A byte is taken out.
    Removed(Index),
    /// The end is cut off.
    CutOff(Index),
}

pub(crate) fn any_damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        any::<(Index, u8)>().prop_map(|(at, byte)| Damage::Changed(at, byte)),
        any::<(Index, u8)>().prop_map(|(at, byte)| Damage::Inserted(at, byte)),
        any::<Index>().prop_map(Damage::Removed),
        any::<Index>().prop_map(Damage::CutOff),
    ]
}

impl Damage {
    /// What it makes of a file, which is not empty.
    pub(crate) fn of(&self, file: &[u8]) -> Vec<u8> {
        let (mut bytes, length) = (file.to_vec(), file.len());
        match self {
            Damage::Changed(at, byte) => bytes[at.index(length)] = *byte,
            Damage::Inserted(at, byte) => bytes.insert(at.index(length), *byte),
            Damage::Removed(at) => drop(bytes.remove(at.index(length))),
            Damage::CutOff(at) => bytes.truncate(at.index(length)),
        }
        bytes
    }
}
