// Octrees: boxes in space, seen from above, from two sides or aslant, all of them or those that one level cuts.
import { VIEWS } from './geometry.js';

const CORNERS = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]];
/** The faces of a box that are seen aslant: its top and the two that look at the viewer; all turn the same way, so that they fill together. */
const FACES = [[4, 5, 7, 6], [3, 7, 5, 1], [6, 7, 3, 2]];

export class Solid {
  constructor(boxes, geometry, { width, height, depth }) {
    Object.assign(this, { boxes, geometry, size: [width, height, depth], level: null, name: 'above' });
    this.order = Uint32Array.from({ length: boxes.length / 4 }, (_, box) => box);
    this.sort();
  }
  get view() { return VIEWS[this.name]; }
  /** Levels there are along the axis that leads into the picture. */
  get levels() { return this.size[this.view.axis]; }
  look(name) {
    this.name = name;
    this.geometry.look(name);
    if (this.level !== null) this.level = Math.min(this.level, this.levels - 1);
    this.sort();
  }
  /** The farthest boxes first: nearer ones are drawn over them. */
  sort() {
    const { boxes } = this, { axis } = this.view;
    const depth = this.name === 'aslant' ? box => boxes[box * 4] + boxes[box * 4 + 1] + boxes[box * 4 + 2] + boxes[box * 4 + 3] * 1.5 : box => boxes[box * 4 + axis] + boxes[box * 4 + 3];
    const depths = Float32Array.from({ length: this.order.length }, (_, box) => depth(box));
    this.order.sort((one, other) => depths[one] - depths[other]);
  }
  /** Whether a box is shown: with a level those that it cuts. */
  shows(box) {
    if (this.level === null) return true;
    const low = this.boxes[box * 4 + this.view.axis];
    return this.level >= low && this.level < low + this.boxes[box * 4 + 3];
  }
  corners(box) {
    const [x, y, z, side] = this.boxes.subarray(box * 4, box * 4 + 4);
    // with a level a box is as thick as the slice
    const flat = this.name === 'aslant' && this.level !== null, low = flat ? this.level : z, tall = flat ? 1 : side;
    return CORNERS.map(([a, b, c]) => this.view.plane(x + a * side, y + b * side, low + c * tall));
  }
  /** Puts a box into the context's path. */
  path(context, pane, box) {
    if (!this.shows(box)) return;
    const corners = this.corners(box).map(([x, y]) => pane.toScreen(x, y));
    if (this.name !== 'aslant') {
      const xs = corners.map(([x]) => x), ys = corners.map(([, y]) => y), x = Math.min(...xs), y = Math.min(...ys);
      context.rect(x, y, Math.max(...xs) - x, Math.max(...ys) - y);
      return;
    }
    for (const face of FACES) {
      face.forEach((corner, k) => k ? context.lineTo(...corners[corner]) : context.moveTo(...corners[corner]));
      context.closePath();
    }
  }
  /** The box of the whole on the plane. */
  bounds() {
    const all = CORNERS.map(corner => this.view.plane(...corner.map((part, axis) => part * this.size[axis])));
    const xs = all.map(([x]) => x), ys = all.map(([, y]) => y);
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  }
  /** The outline of the whole, so that a slice is seen in its place. */
  outline(context, pane) {
    const corners = CORNERS.map(corner => pane.toScreen(...this.view.plane(...corner.map((part, axis) => part * this.size[axis]))));
    CORNERS.forEach((one, k) => CORNERS.forEach((other, m) => {
      if (m <= k || one.filter((part, axis) => part !== other[axis]).length !== 1) return;
      context.moveTo(...corners[k]);
      context.lineTo(...corners[m]);
    }));
  }
  /** The state under a point of the plane: the nearest box that is shown there. */
  under(x, y) {
    for (let k = this.order.length - 1; k >= 0; k--) {
      const box = this.order[k];
      if (this.shows(box) && this.holds(box, x, y)) return box;
    }
    return null;
  }
  holds(box, x, y) {
    const corners = this.corners(box);
    if (this.name === 'aslant') return FACES.some(face => inside(face.map(corner => corners[corner]), x, y));
    const xs = corners.map(corner => corner[0]), ys = corners.map(corner => corner[1]);
    return x >= Math.min(...xs) && x < Math.max(...xs) && y >= Math.min(...ys) && y < Math.max(...ys);
  }
  /** A place in space for a point of the plane: at the level, or as deep as a place that is known. */
  place(x, y, known) {
    const { axis } = this.view, deep = this.level ?? (known === null ? 0 : this.geometry.at(known)[axis]);
    switch (this.name) {
      case 'front': return [x, deep, -y];
      case 'side': return [deep, -x, -y];
      case 'aslant': { const sum = (y + deep) * 2, less = x / .866; return [(sum + less) / 2, (sum - less) / 2, deep]; }
      default: return [x, y, deep];
    }
  }
}

function inside(corners, x, y) {
  let is = false;
  corners.forEach(([ax, ay], k) => {
    const [bx, by] = corners[(k + corners.length - 1) % corners.length];
    if (ay > y !== by > y && x < (bx - ax) * (y - ay) / (by - ay) + ax) is = !is;
  });
  return is;
}
