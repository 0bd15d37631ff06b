// One pane: two stacked canvases, the ground (drawn when the camera or the map changes) and the work (drawn at every step), and
// the camera that all panes share.
import { drawWork } from './work.js';

const MOST_SCALE = 2; // device pixels a pixel: more costs time and shows nothing

export class Pane {
  constructor(host, camera, layers) {
    Object.assign(this, { host, camera, layers, scale: 1, width: 1, height: 1, needGround: true, needWork: true, world: null, tape: null, lane: null });
    const canvas = () => {
      const node = document.createElement('canvas');
      node.className = 'layer';
      node.setAttribute('aria-hidden', 'true');
      host.append(node);
      return node;
    };
    this.ground = canvas();
    this.work = canvas();
    this.groundContext = this.ground.getContext('2d', { alpha: false });
    this.workContext = this.work.getContext('2d');
  }
  show(world, tape, lane) { Object.assign(this, { world, tape, lane, drawing: null, needGround: true, needWork: true }); }
  resize() {
    const box = this.host.getBoundingClientRect(), scale = Math.min(MOST_SCALE, window.devicePixelRatio || 1);
    Object.assign(this, { width: box.width, height: box.height, scale, needGround: true, needWork: true });
    const width = Math.max(1, Math.round(box.width * scale)), height = Math.max(1, Math.round(box.height * scale));
    if (this.ground.width === width && this.ground.height === height) return;
    for (const canvas of [this.ground, this.work]) Object.assign(canvas, { width, height });
  }

  toScreen(x, y) { const { camera } = this; return [(x - camera.x) * camera.z + this.width / 2, (y - camera.y) * camera.z + this.height / 2]; }
  toWorld(px, py) { const { camera } = this; return [(px - this.width / 2) / camera.z + camera.x, (py - this.height / 2) / camera.z + camera.y]; }
  /** Calls `each` for every tile of 256 x 256 pixels at `level` that can be seen. */
  tilesSeen(world, level, each) {
    const side = 256 << level, [x0, y0] = this.toWorld(0, 0), [x1, y1] = this.toWorld(this.width, this.height);
    const right = Math.min(Math.ceil(world.width / side) - 1, Math.floor(x1 / side));
    const bottom = Math.min(Math.ceil(world.height / side) - 1, Math.floor(y1 / side));
    for (let ty = Math.max(0, Math.floor(y0 / side)); ty <= bottom; ty++)
      for (let tx = Math.max(0, Math.floor(x0 / side)); tx <= right; tx++) each(tx, ty, side);
  }
  /** Borders are rounded to device pixels, else seams show between tiles. */
  blit(context, bitmap, tx, ty, side) {
    const [ax, ay] = this.toScreen(tx * side, ty * side), [bx, by] = this.toScreen((tx + 1) * side, (ty + 1) * side);
    const x = Math.round(ax * this.scale), y = Math.round(ay * this.scale), width = Math.round(bx * this.scale) - x, height = Math.round(by * this.scale) - y;
    if (this.world.geometry.bricks && this.camera.z * this.scale >= 2 && side === 256) this.blitBricks(context, bitmap, x, y, width, height);
    else context.drawImage(bitmap, x, y, width, height);
  }
  /** A map of hexagons: every second row (or column) of the bitmap stands half a cell aside. */
  blitBricks(context, bitmap, x, y, width, height) {
    const { bricks, parity } = this.world.geometry, size = (bricks === 'rows' ? height : width) / 256, half = this.camera.z * this.scale / 2;
    for (let k = 0; k < 256; k++) {
      const from = Math.round(k * size), to = Math.round((k + 1) * size), aside = (k & 1) === parity ? half : 0;
      if (bricks === 'rows') {
        if (y + to >= 0 && y + from <= context.canvas.height) context.drawImage(bitmap, 0, k, 256, 1, x + aside, y + from, width, to - from);
      } else if (x + to >= 0 && x + from <= context.canvas.width) context.drawImage(bitmap, k, 0, 1, 256, x + from, y + aside, to - from, height);
    }
  }

  /** Draws what is needed; true where the next frame has to go on. */
  draw(palette, over) {
    if (!this.world) return false;
    const scout = this.lane?.fogged && this.layers.seen;
    if (this.needGround) this.needGround = this.world.drawGround(this, palette, { fog: scout, hide: scout && !this.layers.truth });
    if (this.needWork) this.needWork = drawWork(this, palette, over);
    return this.needGround || this.needWork;
  }
}
