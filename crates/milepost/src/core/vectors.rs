//! Running with the widest vector instructions that the machine has, however the program was compiled.

use pulp::WithSimd;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::OnceLock;

/// Evaluates an expression compiled for the widest vector instructions that this machine has. The functions that it calls
/// must be inlined into it to profit. Asking the machine happens once; after that it costs a few nanoseconds.
macro_rules! vectorized {
    ($work:expr) => {{
        let once = $crate::core::vectors::Once;
        $crate::core::vectors::with_vectors(
            #[inline(always)]
            || {
                once.pass();
                $work
            },
        )
    }};
}

pub(crate) use vectorized;

/// A closure that uses this up can be called but once, and so is inlined where it is called. One that could be called
/// again would be called through a function that is made for it, which is not, and stays without vectors.
#[derive(Debug)]
pub(crate) struct Once;

impl Once {
    #[inline(always)]
    pub(crate) fn pass(self) {}
}

#[cfg(not(target_arch = "wasm32"))]
static MACHINE: OnceLock<pulp::Arch> = OnceLock::new();

/// Runs something that names vector instructions itself, or what [`vectorized`] makes.
#[inline]
pub(crate) fn with_vectors<W: WithSimd>(work: W) -> W::Output {
    // Known while compiling, if the program is compiled for vectors: then it is not compiled without them too.
    #[cfg(target_arch = "wasm32")]
    let machine = pulp::Arch::new();
    #[cfg(not(target_arch = "wasm32"))]
    let machine = *MACHINE.get_or_init(pulp::Arch::new);
    machine.dispatch(work)
}

/// The place of the first word that is larger than a key, among so many at the beginning (at most 16); their number if
/// there is none. Small enough to be inlined where a call would take longer than the work, so it makes do with what every
/// machine of a kind has.
#[inline(always)]
pub(crate) fn first_above(words: &[u16; 16], key: u16, count: u32) -> u32 {
    // Known while compiling: there is no such machine without it.
    #[cfg(target_arch = "x86_64")]
    if let Some(machine) = pulp::core_arch::x86::Sse2::try_new() {
        let parts: [[i64; 2]; 2] = zerocopy::transmute!(*words);
        // Words are compared as if they had a sign.
        const SIGN: u16 = 1 << 15;
        let (key, sign) = (machine._mm_set1_epi16((key ^ SIGN) as i16), machine._mm_set1_epi16(SIGN as i16));
        let above = |[low, high]: [i64; 2]| {
            machine._mm_cmpgt_epi16(machine._mm_xor_si128(machine._mm_set_epi64x(high, low), sign), key)
        };
        let bytes = machine._mm_packs_epi16(above(parts[0]), above(parts[1]));
        return (machine._mm_movemask_epi8(bytes) as u32 | 1 << (count & 31)).trailing_zeros();
    }
    first_above_one_by_one(words, key, count)
}

/// The same, plainly.
#[inline(always)]
fn first_above_one_by_one(words: &[u16; 16], key: u16, count: u32) -> u32 {
    words.iter().take(count as usize).position(|&word| word > key).map_or(count, |place| place as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;

    #[test]
    fn the_first_word_above_a_key_is_found_as_one_by_one() {
        let mut rng = Rng::new(3);
        for round in 0..20_000 {
            let most = if round % 2 == 0 { 20 } else { 1 << 16 };
            let mut words = [0_u16; 16].map(|_| rng.below(most) as u16);
            if round % 3 != 0 {
                words.sort_unstable();
            }
            let key = rng.below(most) as u16;
            let count = rng.below(17);
            for key in [key, 0, u16::MAX] {
                let plain = first_above_one_by_one(&words, key, count);
                assert_eq!(first_above(&words, key, count), plain, "{count} of {words:?}, {key}");
            }
        }
    }
}
