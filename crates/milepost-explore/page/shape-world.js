// Graphs, trees and meshes, drawn as what they are: edges, leaf boxes, polygons. A drawing of many shapes is made in slices on a
// canvas of its own; until it is whole, the last one is shown where the camera has moved it to.
import { PointGeometry, SolidGeometry, floats, line, shorts, words } from './geometry.js';
import { Solid } from './solid.js';
import { FLOOR, WALL } from './grid-world.js';

const SLICE_MS = 7;

export class ShapeWorld {
  constructor(answer) {
    Object.assign(this, { kind: answer.kind, id: answer.map, name: answer.name, rule: answer.rule || null, hash: answer.hash, free: answer.free,
      indexes: answer.indexes || [], problems: answer.problems || 0, weights: null, left: answer.left || 0, near: answer.near });
    this.dims = answer.dims || 2;
    this.up = answer.up ?? (answer.kind === 'graph' && !answer.boxes);
    this.sign = this.up ? -1 : 1;
    this.edges = words(answer.edges);
    this.boxes = answer.boxes ? floats(answer.boxes) : null;
    this.vertices = answer.vertices ? floats(answer.vertices) : null;
    if (this.vertices) this.readPolygons(answer);
    const positions = answer.positions ? floats(answer.positions) : this.centres();
    this.geometry = this.dims > 2 && this.boxes ? new SolidGeometry(positions) : new PointGeometry(positions, answer.positions ? this.dims : 2, this.up);
    this.solid = this.geometry instanceof SolidGeometry ? new Solid(this.boxes, this.geometry, answer) : null;
    this.shut = new Set(); // polygons, nodes and leaves that are closed
    this.cut = new Set(); // edges, by their place in the list
    this.changes = 0; // so far: drawings of an older state are made anew
    answer.open?.forEach((open, polygon) => { if (!open) this.shut.add(polygon); });
  }
  readPolygons(answer) {
    const all = words(answer.polygons);
    // offsets first: the first of the corners stands where the offsets end, so their number is known from the last offset
    let count = 0;
    while (count + 1 < all.length && all[count] + count + 1 < all.length) count++;
    this.offsets = all.subarray(0, count + 1);
    this.corners = all.subarray(count + 1);
    this.areas = shorts(answer.areas);
    this.areaNames = answer.area_names || [];
  }
  centres() {
    const points = new Float32Array((this.offsets?.length - 1 || 0) * 2);
    for (let k = 0; k * 2 < points.length; k++) {
      const from = this.offsets[k], to = this.offsets[k + 1];
      for (let c = from; c < to; c++) {
        points[k * 2] += this.vertices[this.corners[c] * 3] / (to - from);
        points[k * 2 + 1] += this.vertices[this.corners[c] * 3 + 1] / (to - from);
      }
    }
    return points;
  }
  /** Where a way through states leads, as flat x, y pairs. */
  line(cells) { return line(this.geometry, cells); }
  get background() { return this.vertices || this.boxes ? 'wall' : 'panel2'; }
  get count() { return this.geometry.count; }
  get editable() { return { mesh: 'polygons', tree: 'leaves', graph: 'nodes and edges' }[this.kind]; }
  get edgeCount() { return this.kind === 'graph' ? this.edges.length / 2 : 0; }
  ends(edge) { return [this.edges[edge * 2], this.edges[edge * 2 + 1]]; }
  lettersAt(cells) { return cells.map(cell => this.shut.has(cell) ? WALL : FLOOR); }
  /** Lays a stroke, or takes it away again. */
  lay({ cells, edges, to }, on) {
    const shut = (to === WALL) === on;
    for (const cell of cells) shut ? this.shut.add(cell) : this.shut.delete(cell);
    for (const edge of edges) shut ? this.cut.add(edge) : this.cut.delete(edge);
    this.changes++;
  }
  /** The same for the engine. */
  editsOf({ cells, edges, to }, on) {
    const shut = (to === WALL) === on, edits = [];
    if (cells.length) edits.push({ [shut ? 'close' : 'open']: cells });
    if (edges.length) edits.push({ [shut ? 'cut' : 'join']: edges.map(edge => this.ends(edge)) });
    return edits;
  }
  terrain() { return []; }
  passable() { return true; }
  repaint() { /* drawings belong to panes: they are made anew when their key changes */ }

  bounds() {
    if (this.solid) return this.solid.bounds();
    if (this.box) return this.box;
    let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
    const add = (x, y) => { x0 = Math.min(x0, x); x1 = Math.max(x1, x); y0 = Math.min(y0, y); y1 = Math.max(y1, y); };
    if (this.boxes) for (let o = 0; o < this.boxes.length; o += 4) {
      add(this.boxes[o], this.boxes[o + 1] * this.sign);
      add(this.boxes[o] + this.boxes[o + 3], (this.boxes[o + 1] + this.boxes[o + 3]) * this.sign);
    }
    else if (this.vertices) for (let o = 0; o < this.vertices.length; o += 3) add(this.vertices[o], this.vertices[o + 1] * this.sign);
    else for (let cell = 0; cell < this.count; cell++) add(this.geometry.x(cell), this.geometry.y(cell));
    return this.box = x1 >= x0 ? [x0, y0, x1, y1] : [0, 0, 1, 1];
  }
  /** A length that looks like one cell: marks and lines are sized by it. */
  unit() {
    if (this.solid) return 1;
    const [x0, y0, x1, y1] = this.bounds();
    return this.cellSize ||= Math.max(1e-9, Math.sqrt(Math.max(1e-9, (x1 - x0) * (y1 - y0)) / Math.max(1, this.count)));
  }

  /** The state whose box, polygon or point lies under (or nearest to) a point of the world. */
  cellAt(x, y) {
    if (this.solid) return this.solid.under(x, y);
    if (this.boxes) {
      for (let o = this.boxes.length - 4; o >= 0; o -= 4) {
        const dx = x - this.boxes[o], dy = y * this.sign - this.boxes[o + 1];
        if (dx >= 0 && dy >= 0 && dx < this.boxes[o + 3] && dy < this.boxes[o + 3]) return o / 4;
      }
      return null;
    }
    if (this.vertices) {
      for (let k = 0; k < this.offsets.length - 1; k++) if (this.inPolygon(k, x, y * this.sign)) return k;
      return null;
    }
    return this.geometry.nearest(x, y);
  }
  /** What a brush at a point of the world touches within `reach`: {cell} or {edge}; on graphs the middle of an edge, or else a node. */
  touched(x, y, reach) {
    const cell = this.cellAt(x, y), { geometry } = this;
    if (cell === null || this.kind !== 'graph') return { cell };
    let found = null, least = reach / 2;
    for (let edge = 0; edge < this.edgeCount; edge++) {
      const { distance, part } = this.nearOn(edge, x, y);
      if (distance <= least && part > .3 && part < .7) { least = distance; found = edge; }
    }
    if (found !== null) return { cell: null, edge: found };
    return { cell: Math.hypot(geometry.x(cell) - x, geometry.y(cell) - y) <= reach ? cell : null };
  }
  /** How far an edge is from a point, and which part of it is nearest. */
  nearOn(edge, x, y) {
    const { geometry } = this, [a, b] = this.ends(edge), ax = geometry.x(a), ay = geometry.y(a), dx = geometry.x(b) - ax, dy = geometry.y(b) - ay;
    const part = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    return { distance: Math.hypot(ax + part * dx - x, ay + part * dy - y), part };
  }
  inPolygon(polygon, x, y) {
    const from = this.offsets[polygon], to = this.offsets[polygon + 1];
    let inside = false;
    for (let c = from, d = to - 1; c < to; d = c++) {
      const ax = this.vertices[this.corners[c] * 3], ay = this.vertices[this.corners[c] * 3 + 1];
      const bx = this.vertices[this.corners[d] * 3], by = this.vertices[this.corners[d] * 3 + 1];
      if (ay > y !== by > y && x < (bx - ax) * (y - ay) / (by - ay) + ax) inside = !inside;
    }
    return inside;
  }
  place(cell) { return { cell, x: this.geometry.x(cell), y: this.geometry.y(cell) }; }
  /** Meshes are asked by points, all else by states. */
  wire(place) { return this.kind === 'mesh' ? [place.x, place.y * this.sign] : place.cell; }
  placeName(place) {
    const digit = value => Math.round(value * 10) / 10;
    return this.kind === 'mesh' ? `${digit(place.x)}, ${digit(place.y * this.sign)}` : `state ${place.cell}`;
  }
  size() {
    const number = (this.kind === 'mesh' ? this.offsets.length - 1 : this.count).toLocaleString('en');
    return `${number} ${this.kind === 'mesh' ? 'polygons' : this.boxes ? 'leaves' : 'states'}`;
  }
  sizeWords() { return this.size(); }
  groundName(cell) {
    if (this.kind === 'mesh') {
      if (this.shut.has(cell)) return 'closed polygon';
      return this.areaNames[this.areas[cell]] || 'polygon';
    }
    const name = this.boxes ? `leaf of side ${this.boxes[cell * 4 + 3]}` : 'state';
    return this.shut.has(cell) ? `closed ${name}` : name;
  }

  drawGround(pane, palette, { fog }) {
    const { ground: canvas, groundContext: context, camera, scale } = pane;
    const key = [camera.x, camera.y, camera.z, canvas.width, canvas.height, fog, palette.css('floor'), this.changes, this.solid?.name, this.solid?.level].join();
    const store = pane.drawing ||= { whole: null, next: null };
    if (store.next?.key !== key && store.whole?.key !== key) {
      store.next = { key, at: 0, camera: { ...camera }, canvas: Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height }) };
      const begin = store.next.context = store.next.canvas.getContext('2d', { alpha: false });
      begin.fillStyle = palette.css(this.background);
      begin.fillRect(0, 0, canvas.width, canvas.height);
    }
    if (store.next?.key === key && this.drawSlice(store.next, pane, palette)) { store.whole = store.next; store.next = null; }
    const shown = store.whole || store.next;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = palette.css(this.background);
    context.fillRect(0, 0, canvas.width, canvas.height);
    const zoom = camera.z / shown.camera.z, middleX = canvas.width / 2, middleY = canvas.height / 2;
    context.drawImage(shown.canvas,
      middleX - middleX * zoom + (shown.camera.x - camera.x) * camera.z * scale,
      middleY - middleY * zoom + (shown.camera.y - camera.y) * camera.z * scale, canvas.width * zoom, canvas.height * zoom);
    return store.whole?.key !== key;
  }
  /** Goes on with a drawing for some milliseconds; true when it is whole. */
  drawSlice(drawing, pane, palette) {
    const { context } = drawing, { scale } = pane, stop = performance.now() + SLICE_MS;
    const total = this.boxes ? this.boxes.length / 4 : this.vertices ? this.offsets.length - 1 : this.edges.length / 2;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.lineWidth = this.vertices || this.boxes ? .75 : Math.max(.6, Math.min(1.6, pane.camera.z * this.unit() / 12));
    context.strokeStyle = palette.css(this.vertices || this.boxes ? 'shapeedge' : 'shape');
    if (this.solid && !drawing.at) this.drawOutline(context, pane, palette);
    while (drawing.at < total) {
      const to = Math.min(total, drawing.at + 400);
      if (this.boxes) this.drawBoxes(context, pane, palette, drawing.at, to);
      else if (this.vertices) this.drawPolygons(context, pane, palette, drawing.at, to);
      else this.drawEdges(context, pane, drawing.at, to);
      drawing.at = to;
      if (performance.now() > stop) break;
    }
    if (drawing.at < total) return false;
    if (this.edgeCount && (this.cut.size || this.shut.size)) this.drawClosed(context, pane, palette);
    return true;
  }
  drawOutline(context, pane, palette) {
    context.beginPath();
    this.solid.outline(context, pane);
    context.strokeStyle = palette.css('edge');
    context.stroke();
    context.strokeStyle = palette.css('shapeedge');
  }
  isClosed(edge) { return this.cut.has(edge) || this.ends(edge).some(node => this.shut.has(node)); }
  /** Edges that are cut are left as dashes, and a cross stands on what was closed. */
  drawClosed(context, pane, palette) {
    const crosses = [...this.shut].map(node => pane.toScreen(this.geometry.x(node), this.geometry.y(node)));
    context.strokeStyle = palette.css('wall');
    context.setLineDash([3, 4]);
    context.beginPath();
    for (let edge = 0; edge < this.edgeCount; edge++) if (this.isClosed(edge)) {
      const [a, b] = this.ends(edge).map(node => pane.toScreen(this.geometry.x(node), this.geometry.y(node)));
      context.moveTo(...a);
      context.lineTo(...b);
      if (this.cut.has(edge)) crosses.push([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
    }
    context.stroke();
    context.setLineDash([]);
    drawCrosses(context, crosses, palette.css('bad'));
  }
  drawEdges(context, pane, from, to) {
    const closed = this.cut.size || this.shut.size;
    context.beginPath();
    for (let e = from; e < to; e++) {
      if (closed && this.isClosed(e)) continue;
      const a = this.edges[e * 2], b = this.edges[e * 2 + 1];
      const [ax, ay] = pane.toScreen(this.geometry.x(a), this.geometry.y(a)), [bx, by] = pane.toScreen(this.geometry.x(b), this.geometry.y(b));
      if (Math.max(ax, bx) < 0 || Math.min(ax, bx) > pane.width || Math.max(ay, by) < 0 || Math.min(ay, by) > pane.height) continue;
      context.moveTo(ax, ay);
      context.lineTo(bx, by);
    }
    context.stroke();
  }
  boxPath(context, pane, cell) {
    if (this.solid) return this.solid.path(context, pane, cell);
    const o = cell * 4, side = this.boxes[o + 3] * pane.camera.z;
    const [x, y] = pane.toScreen(this.boxes[o], this.up ? -this.boxes[o + 1] - this.boxes[o + 3] : this.boxes[o + 1]);
    if (x > pane.width || y > pane.height || x + side < 0 || y + side < 0) return;
    context.rect(x, y, side, side);
  }
  drawBoxes(context, pane, palette, from, to) {
    for (const shut of [false, true]) {
      context.beginPath();
      for (let k = from; k < to; k++) {
        const cell = this.solid ? this.solid.order[k] : k;
        if (this.shut.has(cell) === shut) this.boxPath(context, pane, cell);
      }
      context.fillStyle = palette.css(shut ? 'wall' : 'shapefill');
      context.globalAlpha = this.solid && this.solid.level === null ? .12 : 1; // boxes behind one another shine through
      context.fill();
      context.stroke();
      context.globalAlpha = 1;
    }
  }
  polygonPath(context, pane, polygon) {
    for (let c = this.offsets[polygon]; c < this.offsets[polygon + 1]; c++) {
      const [x, y] = pane.toScreen(this.vertices[this.corners[c] * 3], this.vertices[this.corners[c] * 3 + 1] * this.sign);
      c === this.offsets[polygon] ? context.moveTo(x, y) : context.lineTo(x, y);
    }
    context.closePath();
  }
  drawPolygons(context, pane, palette, from, to) {
    const areaFill = ['shapefill', 'swamp', 'water', 'slow0', 'slow1', 'tree'];
    for (let polygon = from; polygon < to; polygon++) {
      context.beginPath();
      this.polygonPath(context, pane, polygon);
      context.fillStyle = palette.css(this.shut.has(polygon) ? 'wall' : areaFill[(this.areas[polygon] || 0) % areaFill.length]);
      context.fill();
      context.stroke();
    }
  }
}

/** A cross on what an edit has closed. */
export function drawCrosses(context, places, colour) {
  context.beginPath();
  for (const [x, y] of places) for (const side of [-1, 1]) {
    context.moveTo(x - 4, y - 4 * side);
    context.lineTo(x + 4, y + 4 * side);
  }
  context.strokeStyle = colour;
  context.lineWidth = 2.2;
  context.stroke();
}
