// A grid as the page holds it: letters, classes of ground, and bitmaps of 256 x 256 pixels at five levels of detail that are made
// when they are first seen, so a map of 4000 x 4000 cells opens at once and pans smoothly.
import { GridGeometry } from './geometry.js';
import { GROUND, SLOW_LEVELS } from './palette.js';

const LEVELS = 4, KEPT = 300, BUILD_MS = 7;
const letter = text => text.charCodeAt(0);
const OPEN_LETTERS = ['.', 'G', 'S'].map(letter), TREE = letter('T'), WATER = letter('W'), SWAMP = letter('S'), PLAIN = ['.', 'G'].map(letter);
export const WALL = letter('@'), FLOOR = letter('.');
/** Ground that can be painted on any map: a digit is its weight. */
const BRUSHES = { '.': 1, 3: 3, 6: 6, 9: 9 };

export class GridWorld {
  constructor(answer) {
    Object.assign(this, { kind: 'grid', id: answer.map, name: answer.name, rule: answer.rule, hash: answer.hash, free: answer.free,
      width: answer.width, height: answer.height, weights: answer.weights || null, indexes: answer.indexes || [],
      problems: answer.problems || 0, near: answer.near });
    this.geometry = new GridGeometry(answer);
    this.cells = answer.cells.slice();
    this.sets = {};
    this.open = new Uint8Array(256); // which letters can be walked on
    this.ground = new Uint8Array(256).fill(GROUND.WALL);
    for (const code of OPEN_LETTERS) this.open[code] = 1;
    for (const code of PLAIN) this.ground[code] = GROUND.FLOOR;
    this.ground[SWAMP] = GROUND.SWAMP; this.ground[WATER] = GROUND.WATER; this.ground[TREE] = GROUND.TREE;
    this.brushes = { ...BRUSHES, ...this.weights };
    this.readWeights();
  }
  /** Ground that costs more is darker, by the logarithm of its weight. */
  readWeights() {
    const entries = Object.entries(this.brushes), least = Math.min(...entries.map(([, weight]) => weight));
    for (const [text, weight] of entries) {
      if (weight === least && !this.weights?.[text]) continue; // plain ground keeps its own look
      const code = letter(text), level = Math.round(Math.log2(weight / least) * 1.5);
      this.open[code] = 1;
      this.ground[code] = level < 1 ? GROUND.FLOOR : GROUND.SLOW + Math.min(SLOW_LEVELS, level) - 1;
    }
  }
  /** Letters that the terrain brush offers, the dearest last. */
  terrain() {
    return Object.entries(this.brushes).map(([text, weight]) => ({ code: letter(text), text, weight })).sort((a, b) => a.weight - b.weight);
  }
  get editable() { return 'cells'; }
  get edgeCount() { return 0; }

  inside(x, y) { return x >= 0 && y >= 0 && x < this.width && y < this.height; }
  passable(x, y) { return this.inside(x, y) && this.open[this.cells[y * this.width + x]] === 1; }
  letterAt(cell) { return this.cells[this.geometry.row(cell) * this.width + this.geometry.column(cell)]; }
  /** The state under a point of the world, or null outside. */
  cellAt(x, y) {
    const [column, row] = this.geometry.under(x, y);
    return this.inside(column, row) ? this.geometry.cell(column, row) : null;
  }
  place(cell) { return { cell, x: this.geometry.x(cell), y: this.geometry.y(cell) }; }
  wire(place) { return place.cell; }
  placeName(place) { return `${this.geometry.column(place.cell)}, ${this.geometry.row(place.cell)}`; }
  size() { return `${this.width.toLocaleString('en')} × ${this.height.toLocaleString('en')}`; }
  sizeWords() { return `${this.width} by ${this.height} cells`; }
  groundName(cell) {
    const code = this.letterAt(cell), weight = this.brushes[String.fromCharCode(code)];
    if (weight > 1 || this.weights && weight) return `ground, weight ${weight}`;
    if (this.open[code]) return code === SWAMP ? 'swamp' : 'open ground';
    return code === TREE ? 'trees' : code === WATER ? 'water' : 'wall';
  }

  /** The box of all open ground, for fitting the map into a pane. */
  bounds() {
    if (this.box) return this.box;
    const stride = this.width * this.height > 1e6 ? 3 : 1;
    let x0 = this.width, y0 = this.height, x1 = 0, y1 = 0;
    for (let y = 0; y < this.height; y += stride) for (let x = 0; x < this.width; x += stride)
      if (this.open[this.cells[y * this.width + x]]) {
        if (x < x0) x0 = x;
        if (x > x1) x1 = x;
        if (y < y0) y0 = y;
        if (y > y1) y1 = y;
      }
    return this.box = x1 < x0 ? [0, 0, this.width, this.height] : [x0, y0, x1 + 1, y1 + 1];
  }

  /** Changes letters in the picture; the engine is told by edits.js. */
  set(cells, codeOf) {
    let x0 = Infinity, y0 = Infinity, x1 = -1, y1 = -1;
    cells.forEach((cell, k) => {
      const x = this.geometry.column(cell), y = this.geometry.row(cell);
      this.cells[y * this.width + x] = codeOf(k);
      x0 = Math.min(x0, x); y0 = Math.min(y0, y); x1 = Math.max(x1, x); y1 = Math.max(y1, y);
    });
    // A wall's line depends on its neighbours: one cell more on each side.
    for (const set of Object.values(this.sets)) for (const tile of set.values()) {
      const side = 256 << tile.level;
      if (x1 + 1 >= tile.tx * side && x0 - 1 < (tile.tx + 1) * side && y1 + 1 >= tile.ty * side && y0 - 1 < (tile.ty + 1) * side) tile.stale = true;
    }
  }
  lettersAt(cells) { return cells.map(cell => this.letterAt(cell)); }
  /** Lays a stroke, or takes it away again. */
  lay({ cells, to, before }, on) { this.set(cells, k => on ? to : before[k]); }
  /** The same for the engine. */
  editsOf({ cells, to, before }, on) {
    const byLetter = new Map();
    cells.forEach((cell, k) => {
      const code = on ? to : before[k];
      if (!byLetter.has(code)) byLetter.set(code, []);
      byLetter.get(code).push(cell);
    });
    return [...byLetter].map(([code, group]) => ({ cells: group, to: code }));
  }
  repaint() { this.sets = {}; }

  /** The class of ground of a weight. */
  classOfWeight(weight) {
    const known = Object.entries(this.brushes).find(([, value]) => value === weight);
    return known ? this.ground[letter(known[0])] : GROUND.FLOOR;
  }

  /** Walls that touch ground are drawn as a line round it. */
  classAt(x, y) {
    const code = this.cells[y * this.width + x];
    if (this.open[code]) return this.ground[code];
    const ground = this.ground[code];
    const edge = this.passable(x - 1, y) || this.passable(x + 1, y) || this.passable(x, y - 1) || this.passable(x, y + 1)
      || this.passable(x - 1, y - 1) || this.passable(x + 1, y - 1) || this.passable(x - 1, y + 1) || this.passable(x + 1, y + 1);
    if (ground === GROUND.TREE) return edge ? GROUND.TREE_EDGE : GROUND.TREE;
    if (ground === GROUND.WATER) return edge ? GROUND.WATER_EDGE : GROUND.WATER;
    return edge ? GROUND.EDGE : GROUND.WALL;
  }

  /** The bitmap of one tile, each pixel 2^level cells wide; null while `may` refuses the time to make it. */
  bitmap(name, colours, level, tx, ty, may) {
    const set = this.sets[name] ||= new Map(), key = (level * 4096 + ty) * 4096 + tx;
    let tile = set.get(key);
    if (tile && !tile.stale) return tile.canvas;
    if (!may()) return tile ? tile.canvas : null;
    tile ||= { canvas: Object.assign(document.createElement('canvas'), { width: 256, height: 256 }), level, tx, ty };
    tile.stale = false;
    const context = tile.canvas.getContext('2d'), image = context.createImageData(256, 256);
    this.paint(new Uint32Array(image.data.buffer), colours, level, (tx * 256) << level, (ty * 256) << level);
    context.putImageData(image, 0, 0);
    if (set.size > KEPT) set.delete(set.keys().next().value);
    set.set(key, tile);
    return tile.canvas;
  }
  paint(out, colours, level, x0, y0) {
    const half = (1 << level) >> 1;
    for (let py = 0; py < 256; py++) {
      const y = y0 + (py << level);
      if (y >= this.height) break;
      for (let px = 0; px < 256; px++) {
        const x = x0 + (px << level);
        if (x >= this.width) break;
        if (!level) { out[py << 8 | px] = colours[this.classAt(x, y)]; continue; }
        let red = 0, green = 0, blue = 0; // four samples stand for the cells of a pixel
        for (let k = 0; k < 4; k++) {
          const colour = colours[this.classAt(Math.min(this.width - 1, x + (k & 1) * half), Math.min(this.height - 1, y + (k >> 1) * half))];
          red += colour & 255; green += colour >> 8 & 255; blue += colour >> 16 & 255;
        }
        out[py << 8 | px] = (255 << 24 | (blue >> 2) << 16 | (green >> 2) << 8 | red >> 2) >>> 0;
      }
    }
  }

  /** Draws the ground; true where tiles are missing that the next frame will make. */
  drawGround(pane, palette, { fog, hide }) {
    const { ground: canvas, groundContext: context, camera, scale } = pane;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = palette.css(fog ? 'fogwall' : 'wall');
    context.fillRect(0, 0, canvas.width, canvas.height);
    if (hide) { // a scout's map without the hidden truth: one field of fog
      const [ax, ay] = pane.toScreen(0, 0), [bx, by] = pane.toScreen(this.width, this.height);
      context.fillStyle = palette.css('fogfloor');
      context.fillRect(ax * scale, ay * scale, (bx - ax) * scale, (by - ay) * scale);
      return false;
    }
    const level = Math.max(0, Math.min(LEVELS, Math.floor(-Math.log2(camera.z * scale) + .01)));
    const stop = performance.now() + BUILD_MS;
    let made = 0, more = false;
    const may = () => {
      if (made++ === 0 || performance.now() < stop) return true;
      more = true;
      return false;
    };
    context.imageSmoothingEnabled = camera.z * scale * (1 << level) < 1;
    pane.tilesSeen(this, level, (tx, ty, side) => {
      const bitmap = this.bitmap(fog ? 'fog' : 'ground', fog ? palette.fog : palette.ground, level, tx, ty, may);
      if (bitmap) pane.blit(context, bitmap, tx, ty, side);
    });
    return more;
  }
}
