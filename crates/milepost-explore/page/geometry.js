// Where a state lies: grids compute it from the number, everything else looks it up. World units: a cell is 1 wide, x right, y down.

/** Copies bytes of a message into a typed array (blocks need not be aligned). */
export const floats = bytes => bytes ? new Float32Array(bytes.slice().buffer) : new Float32Array(0);
export const words = bytes => bytes ? new Uint32Array(bytes.slice().buffer) : new Uint32Array(0);
export const shorts = bytes => bytes ? new Uint16Array(bytes.slice().buffer) : new Uint16Array(0);

/** The state in column x, row y is `base + y * stride + x`. Hexagons are shown as bricks: rows (or columns) half a cell apart. */
export class GridGeometry {
  constructor({ width, height, stride, base, rule = '' }) {
    Object.assign(this, { tiled: true, width, height, stride, base, across: (width + 255) >> 8, count: width * height });
    const hexagons = /^hex/.test(rule), turned = /-q$/.test(rule), parity = /even/.test(rule) ? 0 : 1;
    this.bricks = hexagons ? turned ? 'columns' : 'rows' : null;
    this.parity = parity;
  }
  /** How far a row is moved to the right, and a column down. */
  rowShift(row) { return this.bricks === 'rows' && (row & 1) === this.parity ? .5 : 0; }
  columnShift(column) { return this.bricks === 'columns' && (column & 1) === this.parity ? .5 : 0; }
  column(cell) { return (cell - this.base) % this.stride; }
  row(cell) { return Math.floor((cell - this.base) / this.stride); }
  x(cell) { return this.column(cell) + .5 + (this.bricks ? this.rowShift(this.row(cell)) : 0); }
  y(cell) { return this.row(cell) + .5 + (this.bricks ? this.columnShift(this.column(cell)) : 0); }
  /** The column and row under a point of the world. */
  under(x, y) {
    if (this.bricks === 'columns') return [Math.floor(x), Math.floor(y - this.columnShift(Math.floor(x)))];
    return [Math.floor(x - this.rowShift(Math.floor(y))), Math.floor(y)];
  }
  cell(column, row) { return this.base + row * this.stride + column; }
  has(cell) { const row = this.row(cell); return row >= 0 && row < this.height && this.column(cell) < this.width; }
  name(cell) { return `(${this.column(cell)}, ${this.row(cell)})`; }
}

/** States at given positions; `up` turns maps over whose y points up (road maps: latitude). */
export class PointGeometry {
  constructor(positions, dims = 2, up = false) {
    Object.assign(this, { tiled: false, positions, dims, sign: up ? -1 : 1, count: Math.floor(positions.length / dims) });
  }
  x(cell) { return this.positions[cell * this.dims]; }
  y(cell) { return this.positions[cell * this.dims + 1] * this.sign; }
  z(cell) { return this.dims > 2 ? this.positions[cell * this.dims + 2] : 0; }
  has(cell) { return cell < this.count; }
  name(cell) { return `state ${cell}`; }
  /** The state nearest to a point; null where there is none. */
  nearest(x, y) {
    let best = null, least = Infinity;
    for (let cell = 0; cell < this.count; cell++) {
      const dx = this.x(cell) - x, dy = this.y(cell) - y, distance = dx * dx + dy * dy;
      if (distance < least) { least = distance; best = cell; }
    }
    return best;
  }
}

/** How a solid is seen: where a point of it lies on the plane, and which of its axes leads into the picture. */
export const VIEWS = {
  above: { name: 'Above', axis: 2, plane: (x, y) => [x, y] },
  front: { name: 'Front', axis: 1, plane: (x, y, z) => [x, -z] },
  side: { name: 'Side', axis: 0, plane: (x, y, z) => [-y, -z] },
  aslant: { name: 'Aslant', axis: 2, plane: (x, y, z) => [(x - y) * .866, (x + y) * .5 - z] },
};

/** States of a solid: x, y and z are given, and a view says where they lie on the plane. */
export class SolidGeometry extends PointGeometry {
  constructor(positions) {
    super(positions, 3);
    this.seen = new Float32Array(this.count * 2);
    this.look('above');
  }
  look(view) {
    this.view = VIEWS[view];
    for (let cell = 0; cell < this.count; cell++) this.seen.set(this.view.plane(...this.at(cell)), cell * 2);
  }
  at(cell) { return this.positions.subarray(cell * 3, cell * 3 + 3); }
  x(cell) { return this.seen[cell * 2]; }
  y(cell) { return this.seen[cell * 2 + 1]; }
}

/** A line through states as flat x, y pairs. */
export function line(geometry, cells) {
  const points = new Float32Array(cells.length * 2);
  let n = 0;
  for (const cell of cells) if (geometry.has(cell)) { points[n++] = geometry.x(cell); points[n++] = geometry.y(cell); }
  return points.subarray(0, n);
}
