//! The arrays of the index.

use super::contract::{Contracted, Via};
use super::cover::{Cover, HINTS};
use super::feasibility::refuse;
use super::graph::HierarchyCosts;
use super::sights::{Blocks, Corners};
use crate::build::contraction::Edge;
use crate::build::{BuildError, parallel};
use crate::index::corner_hierarchy::{Header, MOST_LABELS, WIDE};
use crate::index::{Bytes, PackedCell, SectionWriter};
use crate::space::{Grid, Rule};

pub(super) fn pack(
    grid: &Grid,
    corners: &Corners,
    blocks: Blocks,
    costs: HierarchyCosts,
    contracted: &Contracted,
    covers: &[Cover],
) -> Result<Bytes, BuildError> {
    let count = corners.places.len();
    let mut rank = vec![0_u32; count];
    for (number, &corner) in contracted.order.iter().enumerate() {
        rank[corner as usize] = number as u32;
    }
    let number_bytes = number_bytes(count);
    let none = if number_bytes == 2 { 0xffff } else { u32::MAX };
    let (mut first_edges, mut targets, mut middles, mut excesses) =
        (vec![0_u32], Vec::new(), Vec::new(), Vec::new());
    let excess_unit = if grid.rule() == Rule::Octile14 && costs.narrow.is_some() { 2 } else { 1 };
    for (&corner, edges) in contracted.order.iter().zip(contracted.edges.lists()) {
        let mut sorted: Vec<&Edge<Via>> = edges.iter().collect();
        sorted.sort_unstable_by_key(|edge| rank[edge.to as usize]);
        for edge in sorted {
            targets.push(rank[edge.to as usize]);
            middles.push(match edge.via {
                Via::Sees => none,
                Via::Seen => none - 1,
                Via::Node(middle) => rank[middle as usize],
            });
            let octile = costs.costs.octile(corners.cell_of(corner), corners.cell_of(edge.to));
            excesses.push((edge.cost - octile) / u64::from(excess_unit));
        }
        first_edges.push(targets.len() as u32);
    }
    let mut row_starts = vec![0_u32; grid.height() as usize + 3];
    for &(_, row) in &corners.places {
        row_starts[row as usize + 1] += 1;
    }
    (1..row_starts.len()).for_each(|row| row_starts[row] += row_starts[row - 1]);
    let (mut block_starts, mut sure, mut lists, mut hints) =
        (vec![0_u32], Vec::new(), Vec::new(), Vec::new());
    for cover in covers {
        lists.extend(cover.corners.iter().map(|&corner| rank[corner as usize]));
        block_starts.push(lists.len() as u32);
        sure.push(cover.sure as u8);
        hints.extend(cover.hints);
    }
    let excess_bytes = match excesses.iter().max() {
        Some(0x1_0000..=0xffff_ffff) => 4,
        Some(0x1_0000_0000..) => 8,
        _ => 2,
    };
    let header = Header {
        costs: costs.narrow.unwrap_or(WIDE),
        block_shift: blocks.shift,
        number_bytes,
        excess_bytes,
        excess_unit,
        landmarks: HINTS as u32,
        most_labels: most_labels(&first_edges, &targets, &block_starts, &lists),
    };
    if header.most_labels > MOST_LABELS {
        let why = format!("a search would have to remember up to {} corners", 2 * header.most_labels);
        return Err(refuse(why));
    }
    let cells = contracted.order.iter().map(|&corner| corners.cell_of(corner));
    let mut writer = SectionWriter::default();
    writer.push(&[header]);
    if costs.narrow.is_some() {
        writer.push(&cells.map(|(column, row)| PackedCell::new(column, row)).collect::<Vec<_>>());
    } else {
        writer.push(&cells.map(|(column, row)| [column, row]).collect::<Vec<_>>());
    }
    writer.push(&first_edges);
    push(&mut writer, &targets, number_bytes);
    push(&mut writer, &middles, number_bytes);
    if excess_bytes == 8 {
        writer.push(&excesses);
    } else {
        let short: Vec<u32> = excesses.iter().map(|&excess| excess as u32).collect();
        push(&mut writer, &short, excess_bytes);
    }
    push(&mut writer, &rank, number_bytes);
    writer.push(&row_starts).push(&block_starts).push(&sure);
    push(&mut writer, &lists, number_bytes);
    writer.push(&hints);
    if costs.narrow.is_none() {
        writer.push(&[costs.costs]);
    }
    Ok(writer.finish())
}

/// Bytes of a number where there are so many corners.
pub(super) fn number_bytes(corners: usize) -> u32 {
    if corners < 0xfffe { 2 } else { 4 }
}

fn push(writer: &mut SectionWriter, numbers: &[u32], bytes: u32) {
    if bytes == 2 {
        let narrow: Vec<u16> = numbers.iter().map(|&number| number as u16).collect();
        writer.push(&narrow);
    } else {
        writer.push(numbers);
    }
}

/// The most corners that are above those of two lists, themselves included.
fn most_labels(first_edges: &[u32], targets: &[u32], block_starts: &[u32], lists: &[u32]) -> u32 {
    let corners = first_edges.len() - 1;
    let room = || (vec![u32::MAX; corners], Vec::new());
    let above = |(marks, stack): &mut (Vec<u32>, Vec<u32>), block: usize| -> u32 {
        let mut count = 0;
        stack.extend(&lists[block_starts[block] as usize..block_starts[block + 1] as usize]);
        while let Some(corner) = stack.pop() {
            if std::mem::replace(&mut marks[corner as usize], block as u32) == block as u32 {
                continue;
            }
            count += 1;
            let edges = first_edges[corner as usize] as usize..first_edges[corner as usize + 1] as usize;
            stack.extend(&targets[edges]);
        }
        count
    };
    // Near ends are begun with both lists: twice as many at most.
    let counts = parallel::map_with(block_starts.len() - 1, room, above);
    2 * counts.into_iter().max().unwrap_or(0)
}
