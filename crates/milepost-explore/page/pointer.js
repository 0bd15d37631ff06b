// Mouse, touch and keys on a map: drag the markers, pan, zoom, pinch, paint.
import { S } from './state.js';
import { tell, toastError } from './dom.js';
import { ask } from './frame.js';
import { play } from './player.js';
import { activate, nameMap, zoomAt } from './panes.js';
import { askPath, placeNear, rerun } from './runs.js';
import { dropEditsOnTheWay, letterOfTool, stepsOfStroke, stroke } from './edits.js';
import { WALL, FLOOR } from './grid-world.js';
import { hideProbe, hoverAt } from './probe.js';
import { hideHint } from './hint.js';
import { sentence } from './words.js';
import { stats } from './stats.js';
import { setLevel } from './views.js';

const REACH = 9; // pixels from a node or edge that a brush touches
const LIVE_EVENTS = 40_000; // with fewer a drag runs all anew, with more when the mouse rests: by events, not by time, so it is steady
const REST_MS = 150;

function onMarker(lane, event, place, lifted) {
  const [x, y] = lane.pane.toScreen(place.x, place.y), reach = event.pointerType === 'touch' ? 30 : 17;
  return Math.hypot(event.offsetX - x, event.offsetY - (y - (lifted ? 12 : 0))) < reach;
}

export function listenToMap(lane, number) {
  const { map, pane } = lane, held = new Map();
  let mode = null, painted = null;
  const outside = event => event.target.closest('button, .offer, .views');

  map.addEventListener('pointerdown', event => {
    if (outside(event)) return;
    activate(number);
    map.focus({ preventScroll: true });
    map.setPointerCapture(event.pointerId);
    held.set(event.pointerId, [event.offsetX, event.offsetY]);
    S.cursorKeys = false;
    hideHint();
    if (held.size === 2) { mode = 'pinch'; return; }
    if (event.button !== 0) mode = 'pan';
    else if (onMarker(lane, event, S.goal, true)) mode = 'goal';
    else if (onMarker(lane, event, S.start)) mode = 'start';
    else if (S.tool !== 'move') { mode = 'paint'; painted = new Painting(pane); painted.to(event); }
    else mode = 'pan';
    if (mode === 'start' || mode === 'goal') { S.drag = mode; play(false); }
    if (mode === 'pan') map.classList.add('grabbing');
  });
  map.addEventListener('pointermove', event => {
    if (held.has(event.pointerId)) {
      if (mode === 'pinch' && held.size === 2) { pinch(pane, held, event); return; }
      const [x, y] = held.get(event.pointerId);
      held.set(event.pointerId, [event.offsetX, event.offsetY]);
      if (mode === 'pan') panBy(event.offsetX - x, event.offsetY - y);
      else if (mode === 'start' || mode === 'goal') dragTo(mode, ...pane.toWorld(event.offsetX, event.offsetY + (mode === 'goal' ? 8 : 0)));
      else if (mode === 'paint') painted.to(event);
    } else map.classList.toggle('over', S.tool === 'move' && (onMarker(lane, event, S.goal, true) || onMarker(lane, event, S.start)));
    if (!outside(event)) hoverAt(lane, ...pane.toWorld(event.offsetX, event.offsetY));
  });
  const release = async event => {
    held.delete(event.pointerId);
    map.classList.remove('grabbing');
    if (held.size) return;
    const was = mode;
    mode = null;
    if (was === 'start' || was === 'goal') { S.drag = null; await dragTo(was, S[was].x, S[was].y, true); }
    if (was === 'paint') { const done = painted; painted = null; await done.finish(); }
  };
  map.addEventListener('pointerup', release);
  map.addEventListener('pointercancel', release);
  map.addEventListener('pointerleave', () => { if (!held.size) hideProbe(); });
  map.addEventListener('contextmenu', event => event.preventDefault());
  map.addEventListener('wheel', event => {
    if (outside(event)) return;
    event.preventDefault();
    zoomAt(pane, event.offsetX, event.offsetY, Math.exp(-event.deltaY * (event.ctrlKey ? .01 : .0016)));
  }, { passive: false });
  map.addEventListener('dblclick', event => { if (!outside(event)) zoomAt(pane, event.offsetX, event.offsetY, 2); });
  map.addEventListener('keydown', event => mapKey(lane, event));
}

function panBy(dx, dy) {
  S.autoFit = false;
  S.camera.x -= dx / S.camera.z;
  S.camera.y -= dy / S.camera.z;
  ask(true, true);
}
function pinch(pane, held, event) {
  const spread = ([a, b]) => ({ far: Math.hypot(a[0] - b[0], a[1] - b[1]) || 1, x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2 });
  const before = spread([...held.values()]);
  held.set(event.pointerId, [event.offsetX, event.offsetY]);
  const after = spread([...held.values()]);
  panBy(after.x - before.x, after.y - before.y);
  zoomAt(pane, after.x, after.y, after.far / before.far);
}

// ---- dragging: one request at a time, the newest place waits ------------------------------------------------------------------

let busy = false, queued = null, rested = 0;
export async function dragTo(which, x, y, last = false) {
  queued = { which, x, y, last };
  clearTimeout(rested);
  if (busy) return;
  busy = true;
  try {
    while (queued) {
      const now = queued;
      queued = null;
      const place = await placeNear(now.x, now.y, S[now.which].cell), same = place.x === S[now.which].x && place.y === S[now.which].y;
      S[now.which] = place;
      if (same && !now.last) continue;
      dropEditsOnTheWay();
      // the path follows at once, whatever the runs take
      S.best = await askPath();
      S.live = S.best.points;
      stats();
      ask(true);
      const events = S.lanes.reduce((sum, { tape }) => sum + (tape ? tape.count : 0), 0);
      if (now.last || !queued && events < LIVE_EVENTS) await rerun({ live: true });
      else if (!queued) rested = setTimeout(() => { if (S.drag) rerun({ live: true }); }, REST_MS);
      if (now.last) for (const lane of S.lanes) nameMap(lane);
    }
  } catch (error) { toastError(error); } finally { busy = false; }
}

// ---- painting -----------------------------------------------------------------------------------------------------------------

/** One stroke of the brush: the picture changes at once, the engine hears of it when the stroke ends. */
class Painting {
  constructor(pane) { Object.assign(this, { pane, cells: [], edges: [], before: [], seen: new Set(), last: null, letter: letterOfTool() }); }
  to(event) {
    const { world } = S, [x, y] = this.pane.toWorld(event.offsetX, event.offsetY);
    if (world.kind !== 'grid') { this.touch(world.touched(x, y, REACH / S.camera.z)); return; }
    const [column, row] = world.geometry.under(x, y), [fromX, fromY] = this.last || [column, row], fresh = this.cells.length;
    const steps = Math.max(Math.abs(column - fromX), Math.abs(row - fromY), 1);
    for (let k = 1; k <= steps; k++) this.dab(Math.round(fromX + (column - fromX) * k / steps), Math.round(fromY + (row - fromY) * k / steps));
    this.last = [column, row];
    if (this.cells.length > fresh) { world.set(this.cells.slice(fresh), () => this.letter); ask(true, true); }
  }
  /** A polygon, leaf, node or edge that is not yet as the brush would have it; none where start or goal is. */
  touch({ cell = null, edge = null }) {
    const { world } = S, shuts = this.letter === WALL, is = edge === null ? world.shut.has(cell) : world.cut.has(edge);
    if (cell === null && edge === null || is === shuts || cell !== null && (cell === S.start.cell || cell === S.goal.cell)) return;
    const part = { cells: cell === null ? [] : [cell], edges: edge === null ? [] : [edge], to: this.letter };
    this.cells.push(...part.cells);
    this.edges.push(...part.edges);
    this.before.push(...world.lettersAt(part.cells));
    world.lay(part, true);
    ask(true, true);
  }
  dab(column, row) {
    const { world } = S, half = (S.brush - 1) >> 1;
    for (let y = row - half; y <= row + half; y++) for (let x = column - half; x <= column + half; x++) {
      if (!world.inside(x, y)) continue;
      const cell = world.geometry.cell(x, y), old = world.letterAt(cell);
      // the eraser leaves open ground as it is, other ground is painted on ground only, and a wall stays the wall it was
      const free = world.passable(x, y), idle = old === this.letter || (S.tool === 'erase' ? free : !free);
      if (idle || this.seen.has(cell) || cell === S.start.cell || cell === S.goal.cell) continue;
      this.seen.add(cell);
      this.cells.push(cell);
      this.before.push(old);
    }
  }
  async finish() {
    if (this.cells.length || this.edges.length) await stroke(this, this.letter, stepsOfStroke());
  }
}

// ---- keys on the map ----------------------------------------------------------------------------------------------------------

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
async function mapKey(lane, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const arrow = ARROWS[event.key], { world, hover } = S;
  if (arrow) moveCursor(lane, arrow, event.shiftKey ? 10 : 1);
  else if (hover && (event.key === 's' || event.key === 'g')) {
    const which = event.key === 's' ? 'start' : 'goal';
    event.preventDefault();
    event.stopPropagation();
    await dragTo(which, hover.x, hover.y, true);
    tell(`${which === 'start' ? 'Start' : 'Goal'} at ${world.placeName(S[which])}. ${sentence(lane)}`);
    return;
  } else if (hover && hover.cell !== null && event.key === 'w' && world.editable) {
    if (hover.cell === S.start.cell || hover.cell === S.goal.cell) return;
    const open = world.kind === 'grid' ? world.open[world.letterAt(hover.cell)] === 1 : !world.shut.has(hover.cell);
    stroke({ cells: [hover.cell] }, open ? WALL : FLOOR, stepsOfStroke());
  } else if (world.solid && (event.key === 'PageUp' || event.key === 'PageDown')) {
    setLevel((world.solid.level ?? (event.key === 'PageUp' ? -1 : world.solid.levels)) + (event.key === 'PageUp' ? 1 : -1));
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
function moveCursor(lane, [dx, dy], steps) {
  const { world, camera } = S, from = S.hover || S.start, [x0, y0, x1, y1] = world.bounds(), unit = world.kind === 'grid' ? 1 : world.unit();
  const edge = world.kind === 'grid' ? [0, 0, world.width - .5, world.height - .5] : [x0, y0, x1, y1];
  const x = Math.max(edge[0], Math.min(edge[2], from.x + dx * steps * unit)), y = Math.max(edge[1], Math.min(edge[3], from.y + dy * steps * unit));
  S.cursorKeys = true;
  const [px, py] = lane.pane.toScreen(x, y);
  if (px < 40 || px > lane.pane.width - 40) { camera.x = x; S.autoFit = false; ask(true, true); }
  if (py < 40 || py > lane.pane.height - 40) { camera.y = y; S.autoFit = false; ask(true, true); }
  hoverAt(lane, x, y, true);
}
