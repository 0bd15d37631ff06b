//! From rows and hops to the arrays of the section.

use super::super::BuildError;
use super::super::jump_points::JumpPointGraph;
use super::super::jump_points::propagate::RunStart;
use super::super::jump_points::tree::{Hop, NO_HOP};
use super::{Row, leaving};
use crate::index::jump_rows::{self, Header, Line, Point, RUNS, SMALL_UNIT, pack_hop};
use crate::index::small_box::SmallBox;
use crate::index::{Bytes, Jumps, PackedCell, SectionWriter};

/// The section.
pub(super) fn pack(graph: &JumpPointGraph<'_>, rows: &[Row]) -> Result<Bytes, BuildError> {
    let (columns, cells) = (graph.grid.width().max(graph.grid.height()) + 2, graph.cells.len() as u32);
    let header = Header {
        costs: graph.costs,
        box_shift: SmallBox::shift(columns),
        line_shift: line_shift(cells),
        hop_bytes: hop_bytes(graph, rows.iter()),
        zero: [0; 3],
    };
    let mut packer = Packer { graph, header, points: Vec::new(), lines: Vec::new(), hops: Vec::new() };
    for (source, row) in rows.iter().enumerate() {
        packer.push(source as u32, row)?;
    }
    // A hop is read as four bytes.
    packer.hops.extend([0; 4]);
    Ok(SectionWriter::default()
        .push(&[header])
        .push(&graph.points)
        .push(&packer.points)
        .push(&packer.lines)
        .push(&packer.hops)
        .finish())
}

/// Bytes that rows take: their points, their lines and their hops.
pub(super) fn bytes_of<'a>(graph: &JumpPointGraph<'_>, rows: impl Iterator<Item = &'a Row> + Clone) -> u64 {
    let (shift, hop) = (line_shift(graph.cells.len() as u32), hop_bytes(graph, rows.clone()));
    let of_row = |row: &Row| {
        let (mut lines, no_numbers) = (Vec::new(), [0; 256]);
        push_lines(&row.runs, shift, &no_numbers, &mut lines);
        size_of::<PackedCell>()
            + size_of::<Point>()
            + size_of_val(&lines[..])
            + hop as usize * row.order.len()
    };
    rows.map(|row| of_row(row) as u64).sum()
}

/// Bytes of a hop: three, if the numbers of jump points and of hops fit.
fn hop_bytes<'a>(graph: &JumpPointGraph<'_>, mut rows: impl Iterator<Item = &'a Row>) -> u32 {
    let fits = graph.points.len() < 1 << 14 && rows.all(|row| row.order.len() <= 127);
    if fits { 3 } else { 4 }
}

/// Samples of lines are 16 bits wide.
fn line_shift(cells: u32) -> u32 {
    (0..=16).find(|&shift| jump_rows::is_sampled(cells, shift)).unwrap_or(16)
}

/// Leaves out hops in the middle of chains: if a hop sees the one before its predecessor, and the way there is no longer
/// than over the predecessor, the predecessor is not needed.
pub(super) fn straighten(graph: &JumpPointGraph<'_>, source: u32, hops: &mut [Hop]) {
    let place = |hops: &[Hop], hop: u8| match hop {
        NO_HOP => graph.points[source as usize],
        hop => graph.points[hops[usize::from(hop)].point as usize],
    };
    let mut distances = vec![0_u32; hops.len()];
    for hop in 0..hops.len() {
        let at = place(hops, hop as u8);
        let distance = |hop: u8| if hop == NO_HOP { 0 } else { distances[usize::from(hop)] };
        let before = hops[hop].before;
        let here = distance(before) + graph.costs.octile(at, place(hops, before));
        let mut before = before;
        while before != NO_HOP {
            let earlier = hops[usize::from(before)].before;
            let there = place(hops, earlier);
            let is_as_short = distance(earlier) + graph.costs.octile(at, there) == here;
            if !is_as_short || !graph.flat.is_direct(at, there) {
                break;
            }
            before = earlier;
        }
        hops[hop].before = before;
        distances[hop] = here;
    }
}

/// The hops that are needed, in depth-first order, the one with the most cells behind it first: a chain then lies in
/// few cache lines, and the hop before has a lower number.
pub(super) fn heavy_paths(runs: &[RunStart], hops: &[Hop], cells: u32) -> Vec<u8> {
    let mut weights = vec![0_u64; hops.len()];
    let ends = runs.iter().skip(1).map(|run| run.cell).chain([cells]);
    for (run, end) in runs.iter().zip(ends) {
        weights[usize::from(run.hop)] += u64::from(end - run.cell);
    }
    // One list for each hop, and one for those without a hop before them.
    let mut children: Vec<Vec<u8>> = vec![Vec::new(); hops.len() + 1];
    for hop in (0..hops.len()).rev().filter(|&hop| hops[hop].before != NO_HOP) {
        weights[usize::from(hops[hop].before)] += weights[hop];
    }
    for (hop, &Hop { before, .. }) in hops.iter().enumerate().filter(|(hop, _)| weights[*hop] > 0) {
        let parent = if before == NO_HOP { hops.len() } else { usize::from(before) };
        children[parent].push(hop as u8);
    }
    // The heaviest last: it is taken first.
    children.iter_mut().for_each(|list| list.sort_by_key(|&hop| (weights[usize::from(hop)], hop)));
    let mut stack = std::mem::take(&mut children[hops.len()]);
    let mut order = Vec::with_capacity(hops.len());
    while let Some(hop) = stack.pop() {
        order.push(hop);
        stack.extend(&children[usize::from(hop)]);
    }
    order
}

struct Packer<'a> {
    graph: &'a JumpPointGraph<'a>,
    header: Header,
    points: Vec<Point>,
    lines: Vec<Line>,
    hops: Vec<u8>,
}

impl Packer<'_> {
    fn push(&mut self, source: u32, row: &Row) -> Result<(), BuildError> {
        let at = self.graph.points[source as usize];
        let corner = self.graph.grid.corner(self.graph.table.state(at));
        let first_line = self.lines.len();
        let first_hop = self.hops.len() / self.header.hop_bytes as usize;
        let mut new_numbers = [NO_HOP; 256];
        for (number, &hop) in row.order.iter().enumerate() {
            new_numbers[usize::from(hop)] = number as u8;
        }
        push_lines(&row.runs, self.header.line_shift, &new_numbers, &mut self.lines);
        self.push_hops(source, row, &new_numbers);
        let lines = &self.lines[first_line..];
        let (stride, samples) = jump_rows::samples_of(lines, self.header.line_shift);
        let too_long = |_| super::feasibility::refuse("its rows do not fit the layout".to_owned());
        self.points.push(Point {
            arrivals: row.arrivals.map(|bounds| bounds.small(self.header.box_shift)),
            seen: row.seen.small(self.header.box_shift),
            unbeaten: corner.unbeaten,
            first_line: u32::try_from(first_line).map_err(too_long)?,
            first_hop: u32::try_from(first_hop).map_err(too_long)?,
            lines: u16::try_from(lines.len()).map_err(too_long)?,
            stride: u16::try_from(stride).map_err(too_long)?,
            samples,
        });
        Ok(())
    }

    fn push_hops(&mut self, source: u32, row: &Row, new_numbers: &[u8; 256]) {
        let at = self.graph.points[source as usize];
        let mut directions: Vec<u32> = Vec::with_capacity(row.order.len());
        for &number in &row.order {
            let hop = row.hops[usize::from(number)];
            let before = if hop.before == NO_HOP { NO_HOP } else { new_numbers[usize::from(hop.before)] };
            let direction = match before {
                NO_HOP => leaving(at, self.graph.points[hop.point as usize]) as u32,
                before => directions[usize::from(before)],
            };
            directions.push(direction);
            let packed = jump_rows::Hop { point: hop.point, direction, before: before.into() };
            let bytes = pack_hop(packed, before == NO_HOP, self.header.hop_bytes);
            self.hops.extend(&bytes[..self.header.hop_bytes as usize]);
        }
    }
}

/// Cuts a row into lines. A line ends after 20 runs, or where an offset would not fit; the next one begins with the
/// first run that was left out, or at the multiple of the unit before it, where units are small.
fn push_lines(runs: &[RunStart], line_shift: u32, new_numbers: &[u8; 256], lines: &mut Vec<Line>) {
    let shift = if line_shift <= SMALL_UNIT { line_shift } else { 0 };
    let hop = |run: usize| new_numbers[usize::from(runs[run].hop)];
    let (mut begin, mut run) = (0, 0);
    while run < runs.len() {
        let mut line = Line::empty(begin);
        line.hops[0] = hop(run);
        let mut count = 0;
        while run + 1 < runs.len() && count < RUNS && runs[run + 1].cell - begin < 0xffff {
            run += 1;
            line.offsets[count] = (runs[run].cell - begin) as u16;
            count += 1;
            line.hops[count] = hop(run);
        }
        let Some(left_out) = runs.get(run + 1) else {
            lines.push(line);
            return;
        };
        begin = left_out.cell >> shift << shift;
        // Runs inside the unit go to the next line, which opens with the run before them.
        while count > 0 && runs[run].cell > begin {
            count -= 1;
            line.offsets[count] = u16::MAX;
            run -= 1;
        }
        if runs[run + 1].cell == begin {
            run += 1;
        }
        lines.push(line);
    }
}
