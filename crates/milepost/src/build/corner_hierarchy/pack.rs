//! The arrays of the index.

use super::contract::{Contracted, Via};
use super::cover::{Cover, HINTS};
use super::feasibility::refuse;
use super::sights::{Blocks, Corners};
use crate::build::BuildError;
use crate::build::contraction::Edge;
use crate::index::corner_hierarchy::{Header, MOST_LABELS};
use crate::index::{Bytes, LegCosts, PackedCell, SectionWriter};
use crate::space::{Grid, Rule};
use rayon::prelude::*;

pub(super) fn pack(
    grid: &Grid,
    corners: &Corners,
    blocks: Blocks,
    costs: LegCosts,
    contracted: &Contracted,
    covers: &[Cover],
) -> Result<Bytes, BuildError> {
    let count = corners.places.len();
    let mut rank = vec![0_u32; count];
    for (number, &corner) in contracted.order.iter().enumerate() {
        rank[corner as usize] = number as u32;
    }
    let number_bytes = if count < 0xfffe { 2 } else { 4 };
    let none = if number_bytes == 2 { 0xffff } else { u32::MAX };
    let (mut first_edges, mut targets, mut middles, mut excesses) =
        (vec![0_u32], Vec::new(), Vec::new(), Vec::new());
    let excess_unit = if grid.rule() == Rule::Octile14 { 2 } else { 1 };
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
            let octile = costs.octile(corners.cell_of(corner), corners.cell_of(edge.to));
            excesses.push((edge.cost - octile) / excess_unit);
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
    let excess_bytes = if excesses.iter().all(|&excess| excess <= 0xffff) { 2 } else { 4 };
    let header = Header {
        costs,
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
    let packed_cells: Vec<PackedCell> =
        contracted.order.iter().map(|&corner| corners.cell_of(corner)).collect();
    let mut writer = SectionWriter::default();
    writer.push(&[header]).push(&packed_cells).push(&first_edges);
    push(&mut writer, &targets, number_bytes);
    push(&mut writer, &middles, number_bytes);
    push(&mut writer, &excesses, excess_bytes);
    push(&mut writer, &rank, number_bytes);
    writer.push(&row_starts).push(&block_starts).push(&sure);
    push(&mut writer, &lists, number_bytes);
    writer.push(&hints);
    Ok(writer.finish())
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
    2 * (0..block_starts.len() - 1).into_par_iter().map_init(room, above).max().unwrap_or(0)
}
