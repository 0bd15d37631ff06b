//! From layers of tiles to cells: what is blocked, and what it costs to walk.

use std::collections::HashMap;

use ::tiled::{ChunkData, Layer, LayerTileData, LayerType, Map, Properties, PropertyValue, TileLayer};

use super::error::TiledError;
use super::guard::{Checked, Orientation};
use super::{BLOCKED_LAYERS, Options, Shape, TiledMap};
use crate::{Excerpt, TileMap, tiles};

/// What a tile, layer or group says about itself.
#[derive(Clone, Copy, Default)]
struct Word {
    is_blocked: Option<bool>,
    weight: Option<u8>,
}

impl Word {
    fn new(properties: &Properties, options: &Options) -> Word {
        let is_blocked = match properties.get(&options.blocked_property) {
            Some(PropertyValue::BoolValue(is_blocked)) => Some(*is_blocked),
            _ => None,
        };
        let weight = match properties.get(&options.weight_property) {
            Some(PropertyValue::IntValue(weight)) => u8::try_from(*weight).ok().filter(|weight| *weight > 0),
            _ => None,
        };
        Word { is_blocked, weight }
    }

    /// This word, and where it says nothing, the other one.
    fn or(self, other: Word) -> Word {
        Word { is_blocked: self.is_blocked.or(other.is_blocked), weight: self.weight.or(other.weight) }
    }
}

/// A layer of tiles, with what it and its groups say.
struct Sheet<'map> {
    tiles: TileLayer<'map>,
    word: Word,
}

impl Sheet<'_> {
    /// Calls `each` with the column and row of every cell that has a tile, and the tile.
    fn each_tile(&self, mut each: impl FnMut(i32, i32, &LayerTileData)) {
        let cells = |width: u32, height: u32| {
            (0..height as i32).flat_map(move |y| (0..width as i32).map(move |x| (x, y)))
        };
        match &self.tiles {
            TileLayer::Finite(layer) => {
                for (x, y) in cells(layer.width(), layer.height()) {
                    if let Some(tile) = layer.get_tile_data(x, y) {
                        each(x, y, tile);
                    }
                }
            }
            TileLayer::Infinite(layer) => {
                let (wide, high) = (ChunkData::WIDTH, ChunkData::HEIGHT);
                for ((column, row), chunk) in layer.chunk_data() {
                    for (x, y) in cells(wide, high) {
                        if let Some(tile) = chunk.get_tile_data(x, y) {
                            each(column * wide as i32 + x, row * high as i32 + y, tile);
                        }
                    }
                }
            }
        }
    }
}

/// All tile layers, from the bottom to the top.
struct Sheets<'map, 'a> {
    list: Vec<Sheet<'map>>,
    options: &'a Options,
    names: Vec<String>,
}

impl<'map> Sheets<'map, '_> {
    fn add(&mut self, layers: impl Iterator<Item = Layer<'map>>, outer: Word) {
        for layer in layers {
            let is_called = |name: &str| name.to_lowercase() == layer.name.to_lowercase();
            let blocks = match &self.options.blocked_layers {
                Some(names) => names.iter().any(|name| is_called(name)),
                None => BLOCKED_LAYERS.iter().any(|name| is_called(name)),
            };
            let by_name = Word { is_blocked: blocks.then_some(true), weight: None };
            let word = Word::new(&layer.properties, self.options).or(by_name).or(outer);
            match layer.layer_type() {
                LayerType::Tiles(tiles) => self.list.push(Sheet { tiles, word }),
                LayerType::Group(group) => self.add(group.layers(), word),
                LayerType::Objects(_) | LayerType::Image(_) => continue,
            }
            self.names.push(layer.name.clone());
        }
    }

    /// Refuses names that no layer has.
    fn check_names(&self) -> Result<(), TiledError> {
        for name in self.options.blocked_layers.iter().flatten() {
            if !self.names.iter().any(|known| known.to_lowercase() == name.to_lowercase()) {
                let known: Vec<String> =
                    self.names.iter().take(5).map(|name| Excerpt::new(name.as_bytes()).to_string()).collect();
                let more = if self.names.len() > known.len() { " and others" } else { "" };
                let known = format!("{}{more}", known.join(", "));
                return Err(TiledError::NoSuchLayer { name: Excerpt::new(name.as_bytes()), known });
            }
        }
        Ok(())
    }
}

/// The cells of a map that was looked through and read.
pub(super) fn cells(map: &Map, checked: &Checked, options: &Options) -> Result<TiledMap, TiledError> {
    let mut sheets = Sheets { list: Vec::new(), options, names: Vec::new() };
    sheets.add(map.layers(), Word::default());
    sheets.check_names()?;
    let sheets = sheets.list;
    // Most tiles say nothing.
    let says = |word: &Word| word.is_blocked.is_some() || word.weight.is_some();
    let words: Vec<HashMap<u32, Word>> = map
        .tilesets()
        .iter()
        .map(|tileset| tileset.tiles().map(|(id, tile)| (id, Word::new(&tile.properties, options))))
        .map(|words| words.filter(|(_, word)| says(word)).collect())
        .collect();
    let is_all_walls = sheets.iter().all(|sheet| sheet.word.is_blocked == Some(true));
    let is_marked = sheets.iter().any(|sheet| sheet.word.is_blocked.is_some())
        || words.iter().flat_map(HashMap::values).any(|word| word.is_blocked.is_some());

    let (columns, rows) = (checked.width, checked.height);
    let stagger = checked.orientation.stagger(columns, rows);
    let (width, height) = stagger.map_or((columns.into(), rows.into()), |stagger| stagger.size());
    let (width, height) = check_size(width, height, checked.tiles)?;

    // What is said about the cells of Tiled that have a tile. Layer by layer, because layers may be sparse.
    let mut answers: Vec<Option<Word>> = vec![None; columns as usize * rows as usize];
    for sheet in sheets.iter().rev() {
        sheet.each_tile(|x, y, tile| {
            let gid = checked.tilesets.gid(tile.tileset_index(), tile.id());
            let word = checked.tilesets.find(gid).and_then(|(at, id)| words.get(at)?.get(&id).copied());
            let word = word.unwrap_or_default().or(sheet.word);
            let (x, y) = ((x - checked.origin.0) as usize, (y - checked.origin.1) as usize);
            let answer = &mut answers[y * columns as usize + x];
            *answer = Some(answer.map_or(word, |above| above.or(word)));
        });
    }
    let mut letters = vec![b'@'; width as usize * height as usize];
    let mut weights = vec![1; letters.len()];
    for (at, answer) in answers.into_iter().enumerate() {
        if answer.map_or(is_all_walls, |word| word.is_blocked != Some(true)) {
            let (x, y) = ((at % columns as usize) as u32, (at / columns as usize) as u32);
            let (a, b) = stagger.map_or((x, y), |stagger| stagger.lattice(x, y));
            let at = b as usize * width as usize + a as usize;
            letters[at] = b'.';
            weights[at] = answer.and_then(|word| word.weight).unwrap_or(1);
        }
    }
    let shape = match (checked.orientation, stagger) {
        (_, Some(stagger)) => Shape::Staggered(stagger),
        (Orientation::Isometric, _) => Shape::Rhombus,
        (Orientation::Hexagonal(layout), _) => Shape::Hexagon(layout),
        _ => Shape::Square,
    };
    let weights = weights.iter().any(|weight| *weight != 1).then_some(weights);
    let map = TileMap::from_checked(width, height, letters);
    Ok(TiledMap { map, weights, shape, origin: checked.origin, is_marked })
}

/// Cells that a map may have without any tile ...
const SPARE_CELLS: u64 = 1 << 20;
/// ... and so many more for each tile.
const CELLS_OF_A_TILE: u64 = 64;
/// ... up to so many.
const MOST_CELLS: u64 = 1 << 26;

/// Infinite maps and lattices have more cells than tiles, but not at will.
fn check_size(width: u64, height: u64, tiles: u64) -> Result<(u32, u32), TiledError> {
    let limit = (SPARE_CELLS + CELLS_OF_A_TILE * tiles).min(MOST_CELLS);
    let is_small = width.checked_mul(height).is_some_and(|cells| cells <= limit);
    match (u32::try_from(width), u32::try_from(height)) {
        (Ok(width), Ok(height)) if is_small && tiles::fits(width, height) => Ok((width, height)),
        _ => Err(TiledError::Spread { width, height, tiles, limit }),
    }
}
