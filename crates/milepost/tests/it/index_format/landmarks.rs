//! "`landmarks`".

use super::{cost_between, file, golden, number, numbers};
use milepost::{Atlas, Scratch, files};

/// Distances are what paths cost, and the nearest landmark is the nearest.
#[test]
fn landmarks_are_where_the_page_says() {
    let mut scratch = Scratch::new();
    for (name, is_canonical) in
        [("caves-40x30-5-landmarks.milepost", false), ("roads-120-4-landmarks.milepost", true)]
    {
        let bytes = files::read(&golden(name)).expect("a golden file");
        let file = file(&bytes);
        let arrays = &file.sections[&26];
        let atlas = Atlas::open(golden(name)).expect("a sound file");
        let (head, most) = (numbers(&arrays[0][..16], 4), numbers(&arrays[0][16..], 8));
        let [count, storage, directions, halves] = [0, 1, 2, 3].map(|place| head[place] as usize);
        // Roads have one-way streets.
        let expected = if is_canonical { (2, 1, 6) } else { (1, 1, 5) };
        assert_eq!((directions, halves, arrays.len()), expected, "{name}");
        let steps = |word: u64| match storage {
            _ if word == u64::from(u32::MAX) => None,
            1 => Some((word & 0xffff, word >> 16)),
            2 => Some((word, 0)),
            _ => panic!("{name}: distances are short"),
        };
        let cost = |word: u64| steps(word).map(|(a, b)| a * file.scale[0] + b * file.scale[1]);
        let (bits, before) = (numbers(&arrays[1], 8), numbers(&arrays[2], 4));
        let row = |id: usize| {
            let (word, bit) = (bits[id / 64], id % 64);
            (word >> bit & 1 == 1)
                .then(|| before[id / 64] as usize + (word & ((1 << bit) - 1)).count_ones() as usize)
        };
        let landmarks = numbers(&arrays[3], 4);
        assert_eq!(landmarks.len(), count);
        let distances = numbers(arrays.last().expect("distances"), 4);
        let longest = distances
            .iter()
            .filter_map(|word| steps(*word))
            .fold((0, 0), |most: (u64, u64), steps| (most.0.max(steps.0), most.1.max(steps.1)));
        assert_eq!(most, [longest.0, longest.1]);
        let free: Vec<usize> = atlas.space().free_states().map(milepost::StateId::index).collect();
        let with_row: Vec<usize> = (0..bits.len() * 64).filter(|id| row(*id).is_some()).collect();
        assert_eq!(free, with_row);
        for id in free {
            let row = row(id).expect("every free state has one");
            let mut true_costs = |direction: usize| -> Vec<Option<u64>> {
                let ends = |landmark: u64| [(landmark, id as u64), (id as u64, landmark)][direction];
                let cost = |landmark: &u64| {
                    let (from, to) = ends(*landmark);
                    cost_between(&atlas, from, to, &mut scratch)
                };
                landmarks.iter().map(cost).collect()
            };
            if !is_canonical {
                let stored: Vec<Option<u64>> =
                    distances[row * count..(row + 1) * count].iter().map(|word| cost(*word)).collect();
                assert_eq!(stored, true_costs(0), "{id}");
                continue;
            }
            for direction in 0..directions {
                let (place, true_costs) = (row * directions + direction, true_costs(direction));
                let nearest = number(&arrays[4], 2 * place, 2) as usize;
                assert_eq!(cost(distances[place]), true_costs[nearest]);
                assert_eq!(true_costs[nearest], true_costs.iter().flatten().copied().min());
            }
        }
        for (from, to) in
            (0..count).flat_map(|from| (0..count).map(move |to| (from, to))).filter(|_| is_canonical)
        {
            let stored = distances[arrays[4].len() / 2 + from * count + to];
            assert_eq!(cost(stored), cost_between(&atlas, landmarks[from], landmarks[to], &mut scratch));
        }
    }
}
