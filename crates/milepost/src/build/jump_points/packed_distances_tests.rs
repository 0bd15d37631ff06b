//! Kernels against their scalar twins.

use super::*;
use crate::core::Rng;
use crate::core::vectors::with_vectors;
use pulp::WithSimd;

/// Distances with hop_labels 1 to 3, or none.
fn draw_words<W: DistanceWord>(rng: &mut Rng, below: u32) -> PackedDistances<W> {
    let word = |rng: &mut Rng| match rng.below(8) {
        0 => W::FAR,
        _ => W::new(rng.below(below), 1 + rng.below(3) as u8),
    };
    PackedDistances(std::array::from_fn(|_| word(rng)))
}

/// A word that is so much farther, or none.
fn farther<W: DistanceWord>(word: W, cost: u32) -> Option<W> {
    let distance = |word: W| (0..1000).find(|&distance| W::new(distance, word.hop_label()) == word);
    (word < W::FAR).then(|| W::new(distance(word).expect("a short one") + cost, word.hop_label()))
}

/// What a square is asked.
struct Square<W> {
    middle: Vec<(PackedDistances<W>, u32)>,
    offers: Vec<(PackedDistances<W>, u32)>,
    mask: PackedDistances<W>,
}

struct Answers<W> {
    best: PackedDistances<W>,
    limit: PackedDistances<W>,
    others: PackedDistances<W>,
    is_disputed: bool,
    within: Vec<bool>,
}

impl<W: DistanceWord> WithSimd for &Square<W> {
    type Output = Answers<W>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Answers<W> {
        let (mut best, mut others) = (PackedDistances::ALL_FAR, PackedDistances::ALL_ZERO);
        self.middle.iter().for_each(|(words, cost)| best.relax(simd, words, W::new(*cost, 0)));
        let limit = best.limit(simd, W::new(9, 0));
        for (words, slack) in &self.offers {
            others.mark_others(simd, words, W::new(*slack, 0), &limit, &best);
        }
        let is_within = |(words, slack): &(PackedDistances<W>, u32)| {
            words.is_within(simd, W::new(*slack, 0), &limit, &self.mask)
        };
        let within = self.offers.iter().map(is_within).collect();
        Answers {
            best,
            limit,
            others,
            is_disputed: others.differs(simd, &PackedDistances::ALL_ZERO, &self.mask),
            within,
        }
    }
}

fn disputes_are_other_hop_labels_within_the_limit<W: DistanceWord>() {
    let mut rng = Rng::new(62);
    for _ in 0..2000 {
        let middle = (0..rng.below(3)).map(|_| (draw_words(&mut rng, 50), rng.below(20))).collect();
        let offers = (0..rng.below(6)).map(|_| (draw_words(&mut rng, 50), rng.below(30))).collect();
        let lanes = rng.below(1 << LANES) as LaneBits;
        let square: Square<W> = Square { middle, offers, mask: PackedDistances::mask(lanes) };
        let answers = with_vectors(&square);
        let mut disputed = 0;
        for lane in 0..LANES {
            let of_middle = square.middle.iter().filter_map(|(words, cost)| farther(words.0[lane], *cost));
            let best = of_middle.min();
            assert_eq!(answers.best.0[lane].min(W::FAR), best.unwrap_or(W::FAR));
            let limit =
                best.and_then(|best| farther(best, 9)).map_or(W::ALL_BITS, |word| word | W::HOP_LABEL);
            let is_disputed = square.offers.iter().any(|(words, slack)| {
                let word = words.0[lane];
                let is_within = farther(word, *slack).is_some_and(|word| word <= limit);
                is_within && best.is_none_or(|best| best.hop_label() != word.hop_label())
            });
            disputed |= LaneBits::from(is_disputed) << lane;
        }
        assert_eq!(answers.others.other_hop_labels(&PackedDistances::ALL_ZERO), disputed);
        assert_eq!(answers.is_disputed, disputed & lanes != 0);
        for ((words, slack), within) in square.offers.iter().zip(answers.within) {
            let is_within = |lane: usize| {
                farther(words.0[lane], *slack).is_some_and(|word| word <= answers.limit.0[lane])
            };
            let is_far = |lane: usize| answers.limit.0[lane] >= W::FAR;
            let mut marked = (0..LANES).filter(|lane| lanes >> lane & 1 == 1);
            // Where there is no limit, everything may be within.
            assert!(within || !marked.clone().any(is_within));
            assert!(!within || marked.any(|lane| is_within(lane) || is_far(lane)));
        }
    }
}

/// What a cell is offered.
struct Cell<W> {
    current: PackedDistances<W>,
    offers: Vec<(PackedDistances<W>, u32, bool)>,
}

impl<W: DistanceWord> WithSimd for &Cell<W> {
    type Output = PackedDistances<W>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> PackedDistances<W> {
        let mut best = PackedDistances::ALL_FAR;
        for (words, cost, is_absent) in &self.offers {
            let absent = if *is_absent { W::ALL_BITS } else { W::ZERO };
            best.relax_from_current(simd, words, (W::new(*cost, 0), absent), &self.current);
        }
        best
    }
}

fn the_nearest_wins_and_the_current_hop_label_wins_ties<W: DistanceWord>() {
    let mut rng = Rng::new(63);
    for _ in 0..2000 {
        let current = PackedDistances(std::array::from_fn(|_| W::new(0, rng.below(4) as u8)));
        let offers =
            (0..rng.below(6)).map(|_| (draw_words(&mut rng, 6), rng.below(3), rng.chance(1, 4))).collect();
        let cell: Cell<W> = Cell { current, offers };
        let best = with_vectors(&cell);
        for lane in 0..LANES {
            let present = cell.offers.iter().filter(|(_, _, is_absent)| !is_absent);
            let found = present.filter_map(|(words, cost, _)| farther(words.0[lane], *cost));
            let least = found.clone().map(|word| word | W::HOP_LABEL).min();
            let tied: Vec<u8> = found
                .filter(|&word| Some(word | W::HOP_LABEL) == least)
                .map(DistanceWord::hop_label)
                .collect();
            let stays = tied.is_empty() || tied.contains(&cell.current.0[lane].hop_label());
            assert_eq!(best.0[lane].hop_label() == 0, stays, "{tied:?}");
            assert!(stays || tied.contains(&best.0[lane].hop_label()));
            assert_eq!(best.below(W::FAR) >> lane & 1 == 1, !tied.is_empty());
        }
    }
}

#[test]
fn words_of_both_widths_do_what_scalars_do() {
    disputes_are_other_hop_labels_within_the_limit::<u32>();
    disputes_are_other_hop_labels_within_the_limit::<u64>();
    the_nearest_wins_and_the_current_hop_label_wins_ties::<u32>();
    the_nearest_wins_and_the_current_hop_label_wins_ties::<u64>();
}

#[test]
fn words_say_what_they_hold() {
    for (farthest, longest) in [(1000, 1000), (11_000_000, 500_000), (1 << 40, 1 << 40)] {
        assert!(u64::holds(farthest, longest));
        if u32::holds(farthest, longest) {
            let far = u32::new((farthest + longest) as u32, u8::MAX);
            assert!(far < u32::FAR && u32::FAR.checked_add(u32::new(longest as u32, 0)).is_some());
        }
    }
    assert!(u32::holds(11_000_000, 500_000) && !u32::holds(11_100_000, 500_000) && !u32::holds(0, 6_000_000));
}

#[test]
fn packed_words_are_far_where_there_is_no_hop_label() {
    let distances = Lanes(std::array::from_fn(|lane| 7 * lane as u32));
    let hop_labels = std::array::from_fn(|lane| lane as u8 % 3);
    let packed: PackedDistances<u32> = PackedDistances::pack(&distances, &hop_labels);
    for (lane, &word) in packed.0.iter().enumerate() {
        let expected = if lane % 3 == 0 { u32::FAR } else { u32::new(7 * lane as u32, lane as u8 % 3) };
        assert_eq!(word, expected);
    }
}
