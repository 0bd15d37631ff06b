// Maps are opened and lanes are run here. A run's first slice is awaited, the rest comes while the page is used: a long walk must not
// hold up the page. Each new run of the scene raises `generation`, and answers to older ones are thrown away.
import { S, call, laneFrom, laneWire } from './state.js';
import { $, calm, errors, hush, toast, toastError } from './dom.js';
import { PointGeometry, floats, line, words } from './geometry.js';
import { GridWorld } from './grid-world.js';
import { ShapeWorld } from './shape-world.js';
import { Tape } from './tape.js';
import { ask, timeline } from './frame.js';
import { grown, seek, setPlaying, total } from './player.js';
import { stats } from './stats.js';
import { buildPanes, fit, layoutPanes } from './panes.js';
import { showOffer } from './offer.js';
import { panel } from './panel.js';
import { applyQuietly, editsOfRun, undoButtons } from './edits.js';
import { fallbackLane, titleOfMap } from './scenes.js';
import { toolButtons } from './tools.js';
import { readEdits } from './link.js';

const FIRST_MS = 30, SLICE_MS = 24, SLICE_EVENTS = 200_000;
const AHEAD = 800_000; // events that a tape may be ahead of the playhead

/** What `open` is asked for a map's name in links: a shipped key, "gen:kind:width=..,seed=..", or a file that comes with its bytes. */
function openArgs(ref, { name, given }) {
  if (given) return { given: true };
  if (name) return { name };
  if (!ref.startsWith('gen:')) return { shipped: ref };
  const [, kind, knobs = ''] = ref.split(':'), generate = { kind };
  for (const knob of knobs.split(',')) {
    const [key, value] = knob.split('=');
    if (key) generate[key] = value !== '' && !isNaN(value) ? Number(value) : value;
  }
  return { generate };
}

export const makeWorld = answer => answer.kind === 'grid' ? new GridWorld(answer) : new ShapeWorld(answer);

/** Opens a map and makes it the scene's; `file` is {name, bytes} or {given: true}. */
async function openMap(ref, file = {}, moves) {
  const args = openArgs(ref, file), old = S.world;
  if (moves) args.moves = moves;
  const blocks = file.bytes ? { bytes: file.bytes, ...(file.beside ? { beside: file.beside } : {}) } : {};
  const answer = await call('open', args, { blocks });
  S.world = makeWorld(answer);
  S.moves = moves || '';
  S.file = file.bytes || file.given ? file : null;
  S.mapRef = S.file ? `file:${answer.name}:${answer.hash ?? ''}` : ref;
  S.title = titleOfMap(S.mapRef, answer);
  Object.assign(S, { undo: [], redo: [], best: null, live: null, hover: null, probe: null });
  if (old) call('drop', { runs: S.lanes.map(lane => lane.run).filter(run => run !== null), maps: [old.id] }).catch(() => {});
  $('#mapbtn .pk-t').textContent = S.title;
  $('#mapbtn .pk-s').textContent = S.world.size();
  $('#mapbtn').setAttribute('aria-label', `Map: ${S.title}, ${S.world.sizeWords()}. Choose another`);
  document.title = `${S.title} · Milepost explorer`;
}

/** The nearest place where a marker may stand, for a point of the world; in a solid it is as deep as the state `known`. */
export async function placeNear(x, y, known = null) {
  const { world } = S;
  if (world.kind === 'grid') {
    const [x0, y0] = world.geometry.under(x, y), column = Math.max(0, Math.min(world.width - 1, x0)), row = Math.max(0, Math.min(world.height - 1, y0));
    const cell = world.geometry.cell(column, row);
    if (world.passable(column, row)) return world.place(cell);
    return world.place((await call('near', { map: world.id, cell })).cell);
  }
  const answer = await call('near', { map: world.id, at: world.solid ? world.solid.place(x, y, known) : [x, y * world.sign] });
  return answer.at && world.kind === 'mesh' ? { cell: answer.cell, x: answer.at[0], y: answer.at[1] * world.sign } : world.place(answer.cell);
}
/** A place from a link: "x,y" on grids and meshes, the number of a state on graphs; or what `open` suggests. */
async function placeFrom(given, suggested) {
  const { world } = S;
  if (given && world.kind === 'grid') {
    const [column, row] = given.map((value, k) => Math.max(0, Math.min((k ? world.height : world.width) - 1, Math.floor(value))));
    return placeNear(world.geometry.x(world.geometry.cell(column, row)), world.geometry.y(world.geometry.cell(column, row)));
  }
  if (given && given.length > 1) return placeNear(given[0], given[1] * world.sign);
  if (given && given[0] < world.count) return world.place(given[0]);
  if (Array.isArray(suggested)) return placeNear(suggested[0], suggested[1] * world.sign);
  return world.place(suggested ?? 0);
}

/** Shows a scene: {map, file, moves, start, goal, lanes, lock, t, view, editsText}. What can't be had is said and replaced. */
export async function setScene(scene) {
  setPlaying(false);
  const generation = ++S.generation;
  try {
    await openMap(scene.map, scene.file, scene.moves);
  } catch (error) {
    toastError(error);
    if (S.world || error.gone) return;
    scene = { map: S.hello.maps[0].key, lanes: [] };
    await openMap(scene.map);
  }
  if (generation !== S.generation) return;
  S.lanes = (scene.lanes || []).slice(0, 4).map(text => {
    try { return laneFrom(text); } catch (error) { toast(error.say, error.hint); return laneFrom(fallbackLane()); }
  });
  if (!S.lanes.length) S.lanes = [laneFrom(fallbackLane())];
  S.active = 0;
  S.lock = scene.lock || 'work';
  try {
    S.start = await placeFrom(scene.start, S.world.near?.[0]);
    S.goal = await placeFrom(scene.goal, S.world.near?.[1]);
    for (const edit of readEdits(scene.editsText || '', S.world)) await applyQuietly(edit);
  } catch (error) { toastError(error); }
  toolButtons();
  undoButtons();
  buildPanes();
  if (scene.view) { S.autoFit = false; layoutPanes(); Object.assign(S.camera, { x: scene.view[0], y: scene.view[1], z: scene.view[2] }); }
  else fit();
  panel();
  S.speedSet = false;
  await rerun({ at: scene.t ?? 0, play: scene.t == null && !calm(), end: scene.t == null && calm() });
  panel();
}

const problem = () => ({ map: S.world.id, start: S.world.wire(S.start), goal: S.world.wire(S.goal) });

/** The optimum, without events. */
export async function askPath() {
  const answer = await call('path', problem());
  const points = S.world.kind === 'grid' || S.world.solid || !answer.points ? line(S.world.geometry, words(answer.cells)) : floats(answer.points);
  if (S.world.kind !== 'grid' && answer.points && S.world.sign < 0) for (let k = 1; k < points.length; k += 2) points[k] *= -1;
  return { cost: answer.cost ?? null, cells: words(answer.cells), points, ms: answer.ms };
}

async function startRun(lane) {
  const info = await call('run', { ...problem(), ...laneWire(lane), edits: editsOfRun(lane) });
  const positions = info.nodes?.positions || info.positions;
  const geometry = positions ? new PointGeometry(floats(positions), info.nodes?.dims || 2, S.world.up) : S.world.geometry;
  return { info, tape: new Tape(geometry) };
}

/** Runs all lanes anew. `at`: where the playhead goes; `end`: to the end; `live`: as `end`, while something is dragged. */
export async function rerun({ at = 0, play = false, end = false, live = false } = {}) {
  const generation = ++S.generation, { lanes } = S;
  const old = lanes.map(lane => lane.run).filter(run => run !== null);
  if (old.length) call('drop', { runs: old, maps: [] }).catch(() => {});
  for (const lane of lanes) lane.run = null;
  const fresh = await Promise.all(lanes.map(async lane => {
    try {
      const run = await startRun(lane);
      run.first = await call('advance', { run: run.info.run, ms: FIRST_MS, events: SLICE_EVENTS });
      return run;
    } catch (error) { return { error }; }
  }));
  if (generation !== S.generation) {
    call('drop', { runs: fresh.filter(run => run.info).map(run => run.info.run), maps: [] }).catch(() => {});
    return;
  }
  hush();
  lanes.forEach((lane, k) => install(lane, fresh[k]));
  for (const { error } of fresh) if (error && !error.needs && !error.gone) errors.push(error.say); // its pane says why
  S.live = null;
  S.want = end || live ? Infinity : at;
  setPlaying(play);
  grown();
  seek(S.want, true);
  askPath().then(best => { if (generation === S.generation) { S.best = best; stats(); ask(true); } }).catch(() => {});
  Promise.all(lanes.filter(lane => lane.tape).map(lane => fillTape(lane, generation)))
    .then(() => { if (generation === S.generation) { S.want = 0; stats(); } })
    .catch(error => { if (generation === S.generation) toastError(error); });
}
function install(lane, { info, tape, first, error }) {
  Object.assign(lane, { error: error || null, run: info?.run ?? null, info: info || null, tape: tape || null,
    bound: info?.bound ?? null, unit: info?.unit || lane.entry.unit || '' });
  if (tape) tape.append(first);
  lane.pane.show(S.world, lane.tape, lane);
  showOffer(lane);
}

/** Goes on behind the playhead; a hidden tab sends nothing. */
async function fillTape(lane, generation) {
  const { tape, run } = lane;
  while (!tape.done && generation === S.generation) {
    if (document.hidden) { await new Promise(resolve => document.addEventListener('visibilitychange', resolve, { once: true })); continue; }
    if (tape.count - tape.position > AHEAD && S.want !== Infinity) { await new Promise(resolve => setTimeout(resolve, 120)); continue; }
    const slice = await call('advance', { run, ms: SLICE_MS, events: SLICE_EVENTS });
    if (generation !== S.generation) return;
    tape.append(slice);
    grown();
    if (S.want > S.t) seek(Math.min(S.want, total()));
  }
}
/** Redraws all after the theme has changed. */
export function repaintAll() {
  S.world?.repaint();
  for (const { tape, pane } of S.lanes) { tape?.dirtyAll(); if (pane) pane.drawing = null; }
  if (timeline) timeline.dirty = true;
  ask(true, true);
}
