// Draws the work of a run over the ground: bitmaps of states on grids, dots and filled shapes elsewhere, then lines and marks.
import { FLAG } from './tape.js';
import { GROUND, heatLevel, regionColour } from './palette.js';
import { drawLines } from './lines.js';
import { drawMarks, stroke, trace } from './marks.js';

const PAINT_MS = 10; // at most this long for bitmaps in one frame
const FINE = 5; // pixels a cell from which the trail is inset squares, so that what lies below shows
const F = FLAG;

/** Draws one frame of work; true where the next frame has to go on. */
export function drawWork(pane, palette, over) {
  const { workContext: context, world, tape, scale } = pane;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, pane.work.width, pane.work.height);
  pane.zoom = pane.camera.z * (world.kind === 'grid' ? 1 : world.unit()); // pixels that look like one cell
  const more = tape ? tape.geometry.tiled ? drawTiles(pane, palette) : drawPoints(pane, palette) : false;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  if (world.kind === 'grid' && !world.geometry.bricks && pane.camera.z >= 9) drawGridLines(pane, palette);
  if (tape) {
    if (tape.geometry.tiled && pane.camera.z >= FINE && pane.layers.trail) drawTrailSquares(pane, palette);
    drawLines(pane, palette, over);
  }
  if (over.live?.length) { trace(pane, over.live); stroke(context, Math.max(3, lineWidth(pane)), palette.css('path'), palette.css('halo')); }
  drawMarks(pane, palette, over);
  return more;
}
export const lineWidth = pane => Math.max(1.5, Math.min(5, pane.zoom * .34));

// ---- grids: bitmaps of 256 x 256 states, painted only where events fell ------------------------------------------------------

function drawTiles(pane, palette) {
  const { workContext: context, world, tape, camera, scale } = pane, stop = performance.now() + PAINT_MS;
  const fine = camera.z >= FINE;
  if (fine !== pane.fine) { pane.fine = fine; if (tape.moved) tape.dirtyAll(); }
  context.imageSmoothingEnabled = camera.z * scale < 1;
  let painted = false, more = false;
  pane.tilesSeen(world, 0, (tx, ty, side) => {
    const page = tape.pages[ty * tape.geometry.across + tx];
    if (!page) return;
    if (page.x1 >= page.x0) {
      if (painted && performance.now() > stop) more = true;
      else { painted = true; paintPage(page, pane, palette, tx, ty); }
    }
    if (page.canvas) pane.blit(context, page.canvas, tx, ty, side);
  });
  return more;
}

function paintPage(page, pane, palette, tx, ty) {
  if (!page.canvas) {
    page.canvas = Object.assign(document.createElement('canvas'), { width: 256, height: 256 });
    page.context = page.canvas.getContext('2d');
    page.image = page.context.createImageData(256, 256);
    page.pixels = new Uint32Array(page.image.data.buffer);
  }
  const { x0, y0, x1, y1, pixels } = page, paint = painter(pane, palette, page, pane.fine);
  const { world, layers } = pane;
  for (let y = y0; y <= y1; y++) for (let k = (y << 8) + x0, last = (y << 8) + x1; k <= last; k++) {
    let colour = paint(k);
    if (!colour && layers.seen && page.flags[k] & (F.SEEN_GROUND | F.SEEN_WALL)) {
      // what the scout has seen gets the colours of the ground; a wall where the map has none was put there in its way
      const column = tx * 256 + (k & 255), row = ty * 256 + y, free = world.passable(column, row), wall = page.flags[k] & F.SEEN_WALL;
      if (world.inside(column, row)) colour = wall && free ? palette.pixel.edge : palette.ground[!wall && !free ? GROUND.FLOOR : world.classAt(column, row)];
    }
    pixels[k] = colour;
  }
  page.context.putImageData(page.image, 0, 0, x0, y0, x1 - x0 + 1, y1 - y0 + 1);
  page.x0 = page.y0 = 256;
  page.x1 = page.y1 = -1;
}

/** The colour of a state, 0 for none: the first of these that holds wins. */
function painter(pane, palette, page, noTrail) {
  const { layers, world } = pane, { flags, learned, visits, region, edited } = page, { pixel, heat } = palette;
  return k => {
    const f = flags[k];
    if (f & F.EDIT_WALL) return pixel.edge;
    if (visits && visits[k] && layers.trail && !noTrail) return visits[k] === 1 ? pixel.trail : visits[k] < 4 ? pixel.again : pixel.often;
    if (f & F.OPEN && layers.open) return pixel.open;
    if (f & F.JUMP && layers.jumps) return pixel.jump;
    if (f & F.CLOSED && layers.closed) return f & F.BAND ? pixel.closed2 : pixel.closed;
    if (learned && learned[k] > 0 && layers.learned) return heat[heatLevel(learned[k])];
    if (f & F.EDIT_GROUND) return world.kind !== 'grid' ? pixel.shapefill : edited[k] ? palette.ground[world.classOfWeight(edited[k])] : pixel.floor;
    if (region && region[k] && layers.regions) return regionColour(palette, region[k] - 1);
    return 0;
  };
}

function drawTrailSquares(pane, palette) {
  const { workContext: context, world, tape, camera } = pane, { across } = tape.geometry;
  const [left, top] = pane.toWorld(0, 0).map(Math.floor), [right, bottom] = pane.toWorld(pane.width, pane.height).map(Math.floor);
  const colours = ['trail', 'again', 'often'].map(palette.css), margin = camera.z * .2, side = camera.z * .6;
  for (let y = Math.max(0, top); y <= Math.min(world.height - 1, bottom); y++)
    for (let x = Math.max(0, left); x <= Math.min(world.width - 1, right); x++) {
      const page = tape.pages[(y >> 8) * across + (x >> 8)];
      if (!page?.visits) { x |= 255; continue; }
      const visits = page.visits[(y & 255) << 8 | x & 255];
      if (!visits) continue;
      const [px, py] = pane.toScreen(x + tape.geometry.rowShift(y), y + tape.geometry.columnShift(x));
      context.fillStyle = colours[visits === 1 ? 0 : visits < 4 ? 1 : 2];
      context.fillRect(px + margin, py + margin, side, side);
    }
}

function drawGridLines(pane, palette) {
  const { workContext: context, world } = pane;
  const [left, top] = pane.toWorld(0, 0).map(Math.floor), [right, bottom] = pane.toWorld(pane.width, pane.height).map(Math.floor);
  const [x0, y0] = pane.toScreen(0, 0), [x1, y1] = pane.toScreen(world.width, world.height);
  context.strokeStyle = palette.css('grid');
  context.lineWidth = 1;
  context.beginPath();
  for (let x = Math.max(0, left); x <= Math.min(world.width, right + 1); x++) {
    const at = Math.round(pane.toScreen(x, 0)[0]) + .5;
    context.moveTo(at, Math.max(0, y0));
    context.lineTo(at, Math.min(pane.height, y1));
  }
  for (let y = Math.max(0, top); y <= Math.min(world.height, bottom + 1); y++) {
    const at = Math.round(pane.toScreen(0, y)[1]) + .5;
    context.moveTo(Math.max(0, x0), at);
    context.lineTo(Math.min(pane.width, x1), at);
  }
  context.stroke();
}

// ---- graphs, trees, meshes: the states that events touched, as dots or as their boxes ----------------------------------------

function drawPoints(pane, palette) {
  const { workContext: context, world, tape, scale } = pane, { geometry } = tape;
  const own = geometry === world.geometry; // a run on a mesh has nodes of its own
  const shapes = own && (world.boxes || world.vertices);
  const byColour = new Map();
  tape.pages.forEach((page, number) => {
    if (!page) return;
    const paint = painter(pane, palette, page, false), more = page.learned || page.visits || page.region;
    for (let k = 0; k < 65536; k++) {
      const colour = more || page.flags[k] ? paint(k) : 0;
      if (!colour) continue;
      let list = byColour.get(colour);
      if (!list) byColour.set(colour, list = []);
      list.push(number * 65536 + k);
    }
  });
  const total = [...byColour.values()].reduce((sum, list) => sum + list.length, 0);
  if (shapes) fillShapes(pane, palette, byColour);
  else if (total < 4000) { searchTree(pane, palette, byColour); dots(pane, palette, byColour); }
  else {
    // many dots go through one bitmap of the pane's size: thousands of arcs would take tens of milliseconds
    const bitmap = pane.bitmap ||= document.createElement('canvas');
    if (bitmap.width !== pane.work.width || bitmap.height !== pane.work.height) Object.assign(bitmap, { width: pane.work.width, height: pane.work.height });
    const surface = bitmap.getContext('2d'), image = surface.createImageData(bitmap.width, bitmap.height), pixels = new Uint32Array(image.data.buffer);
    const radius = Math.max(0, Math.min(4, Math.round(pane.zoom * scale * .25)));
    for (const [colour, cells] of byColour) for (const cell of cells) {
      const [sx, sy] = pane.toScreen(geometry.x(cell), geometry.y(cell)), cx = Math.round(sx * scale), cy = Math.round(sy * scale);
      for (let y = Math.max(0, cy - radius); y <= Math.min(bitmap.height - 1, cy + radius); y++)
        for (let x = Math.max(0, cx - radius); x <= Math.min(bitmap.width - 1, cx + radius); x++) pixels[y * bitmap.width + x] = colour;
    }
    surface.putImageData(image, 0, 0);
    context.drawImage(bitmap, 0, 0);
  }
  return false;
}
const cssOf = pixel => `rgba(${pixel & 255}, ${pixel >> 8 & 255}, ${pixel >> 16 & 255}, ${(pixel >>> 24) / 255})`;

/** Leaves and polygons keep their borders. */
function fillShapes(pane, palette, byColour) {
  const { workContext: context, world, scale } = pane;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.strokeStyle = palette.css('shapeedge');
  context.lineWidth = .75;
  context.globalAlpha = world.solid && world.solid.level === null ? .4 : 1; // boxes behind one another shine through
  for (const [colour, cells] of byColour) {
    context.fillStyle = cssOf(colour);
    context.beginPath();
    for (const cell of cells) world.boxes ? world.boxPath(context, pane, cell) : world.polygonPath(context, pane, cell);
    context.fill();
    context.stroke();
  }
  context.globalAlpha = 1;
}
/** How the search came to each state, as thin lines: on roads and meshes dots alone do not show it. */
function searchTree(pane, palette, byColour) {
  const { workContext: context, tape, layers, scale } = pane, { geometry } = tape;
  if (!layers.closed) return;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.beginPath();
  for (const cells of byColour.values()) for (const cell of cells) {
    const page = tape.page(cell), last = page?.last ? page.last[tape.slot] : 0, from = last ? tape.events[last * 4 - 2] : cell;
    if (from === cell || !geometry.has(from)) continue;
    context.moveTo(...pane.toScreen(geometry.x(from), geometry.y(from)));
    context.lineTo(...pane.toScreen(geometry.x(cell), geometry.y(cell)));
  }
  context.lineWidth = Math.max(1.2, Math.min(3, pane.zoom * .08));
  context.strokeStyle = palette.css('bar');
  context.globalAlpha = .55;
  context.stroke();
  context.globalAlpha = 1;
}
function dots(pane, palette, byColour) {
  const { workContext: context, tape: { geometry }, scale } = pane, radius = Math.max(2, Math.min(6, pane.zoom * .3));
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.strokeStyle = palette.css('bar');
  context.lineWidth = 1;
  for (const [colour, cells] of byColour) {
    context.fillStyle = cssOf(colour);
    context.beginPath();
    for (const cell of cells) {
      const [x, y] = pane.toScreen(geometry.x(cell), geometry.y(cell));
      if (x < -9 || y < -9 || x > pane.width + 9 || y > pane.height + 9) continue;
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, 7);
    }
    context.fill();
    if (radius > 3 && colour !== palette.pixel.open) context.stroke(); // light blue needs a line on light ground
  }
}
