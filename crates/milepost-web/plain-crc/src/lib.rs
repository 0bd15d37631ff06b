//! The checksum of PNG files, CRC-32, byte by byte. Pictures that are dropped on a page are small; tables that make it fast hardly
//! shrink, so that they would be a fiftieth of what a page loads.

/// A byte after another: what eight divisions by the polynomial `0xEDB88320`, least bit first, make of it.
const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut rest, mut bit) = (byte as u32, 0);
        while bit < 8 {
            rest = if rest & 1 == 1 { rest >> 1 ^ 0xEDB8_8320 } else { rest >> 1 };
            bit += 1;
        }
        table[byte] = rest;
        byte += 1;
    }
    table
};

/// A checksum under way.
#[derive(Clone, Debug, Default)]
pub struct Hasher {
    sum: u32,
    /// Bytes taken in.
    amount: u64,
}

impl Hasher {
    /// That of nothing.
    pub fn new() -> Hasher {
        Hasher::default()
    }

    /// Takes in bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        let add = |rest: u32, byte: &u8| rest >> 8 ^ TABLE[usize::from(rest as u8 ^ byte)];
        self.sum = !bytes.iter().fold(!self.sum, add);
        self.amount += bytes.len() as u64;
    }

    /// The checksum.
    pub fn finalize(self) -> u32 {
        self.sum
    }

    /// Begins anew.
    pub fn reset(&mut self) {
        *self = Hasher::default();
    }

    /// Takes in what another one has taken in: one after the other, the checksum is linear.
    pub fn combine(&mut self, other: &Hasher) {
        let moved = (0..other.amount).fold(self.sum, |rest, _| rest >> 8 ^ TABLE[usize::from(rest as u8)]);
        (self.sum, self.amount) = (moved ^ other.sum, self.amount + other.amount);
    }
}

#[cfg(test)]
mod tests {
    use super::Hasher;

    #[test]
    fn the_checksum_is_that_of_the_standard_in_parts_too() {
        let mut hasher = Hasher::new();
        hasher.update(b"1234");
        hasher.update(b"56789");
        assert_eq!(hasher.clone().finalize(), 0xCBF4_3926);
        let (mut front, mut back) = (Hasher::new(), Hasher::new());
        front.update(b"1234");
        back.update(b"56789");
        front.combine(&back);
        assert_eq!(front.finalize(), hasher.finalize());
    }
}
