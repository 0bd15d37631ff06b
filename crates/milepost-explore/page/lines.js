// Lines and small marks over the states: jumps, hops, trees, subgoals, records, the last search, plan, trail's end, path, optimum,
// and what the engine knows of the state under the mouse (boxes, hubs). Which of them exist, the run's layers say.
import { FLAG, KIND } from './tape.js';
import { line } from './geometry.js';
import { stroke, trace } from './marks.js';
import { drawCrosses } from './shape-world.js';
import { lineWidth } from './work.js';

const NEWEST = 6000; // lines of one kind at most
const LOOK_AGE = 40; // steps for which the last search stays visible
const TAIL = 60; // moves of the trail that are drawn as a line
const K = KIND, F = FLAG;

export function drawLines(pane, palette, over) {
  const { workContext: context, tape, layers } = pane, { css } = palette;
  if (layers.tree) segments(pane, K.TREE, css('treeline'), 1, liveParent);
  if (layers.jumps) { segments(pane, K.JUMP, css('jumpline'), 1); if (pane.zoom < 5) jumpPoints(pane, palette); }
  if (layers.records) records(pane, css('record'));
  if (layers.look) lastSearch(pane, palette);
  if (layers.boxes && over.probe?.boxes) boxes(pane, palette, over.probe.boxes);
  if (layers.best && over.best?.length && !ownOptimum(tape, over)) { trace(pane, over.best); stroke(context, 1.5, css('best'), null, [5, 4]); }
  cuts(pane, palette);
  if (layers.plan && tape.at) plan(pane, css('plan'));
  if (layers.trail) tail(pane, css('tail'), over.start);
  if (layers.hops) { segments(pane, K.HOP, css('hop'), 2); segmentEnds(pane, K.HOP, css('hop')); }
  if (layers.path) path(pane, palette);
  if (layers.subgoals) subgoals(pane, palette);
  if (layers.regions) regions(pane, palette);
  if (layers.hubs && over.probe?.hubs) hubs(pane, palette, over.probe.hubs, over.hover);
  if (over.chain) { trace(pane, line(tape.geometry, over.chain)); stroke(context, 2, css('path'), css('halo')); }
}

/** Two optimal paths differ by ties: the dashed optimum goes once the planner's own path costs the same. */
const ownOptimum = (tape, over) => tape.pathAt >= 0 && tape.at > tape.pathStep && tape.summary?.cost <= over.bestCost + 1e-6;

/** An edge of the tree counts while no later event gave the state another parent. */
function liveParent(tape, event) {
  const page = tape.page(tape.events[event * 4 + 1]);
  return page?.parent && page.parent[tape.slot] === event + 1;
}

function segments(pane, kind, colour, width, keep) {
  const { workContext: context, tape } = pane, { geometry, events } = tape, [from, to, list] = tape.listed(kind, NEWEST);
  if (from === to) return;
  context.beginPath();
  for (let k = from; k < to; k++) {
    const event = list[k], a = events[event * 4 + 2], b = events[event * 4 + 1];
    if (!geometry.has(a) || !geometry.has(b) || keep && !keep(tape, event)) continue;
    context.moveTo(...pane.toScreen(geometry.x(a), geometry.y(a)));
    context.lineTo(...pane.toScreen(geometry.x(b), geometry.y(b)));
  }
  stroke(context, width, colour);
}
/** Edges that were cut on the way, and not joined again. */
function cuts(pane, palette) {
  const { workContext: context, tape } = pane, { geometry, events, values } = tape, [from, to, list] = tape.listed(K.EDIT, NEWEST), cut = new Map();
  for (let k = from; k < to; k++) {
    const o = list[k] * 4, a = events[o + 2], b = events[o + 1];
    if (a !== b) cut.set(`${a} ${b}`, values[o + 3] ? [(geometry.x(a) + geometry.x(b)) / 2, (geometry.y(a) + geometry.y(b)) / 2] : null);
  }
  const places = [...cut.values()].filter(Boolean).map(([x, y]) => pane.toScreen(x, y));
  if (places.length) drawCrosses(context, places, palette.css('bad'));
}
function segmentEnds(pane, kind, colour) {
  const { workContext: context, tape } = pane, { geometry, events } = tape, [from, to, list] = tape.listed(kind, 2000);
  context.fillStyle = colour;
  context.beginPath();
  for (let k = from; k < to; k++) {
    const cell = events[list[k] * 4 + 1];
    if (!geometry.has(cell)) continue;
    const [x, y] = pane.toScreen(geometry.x(cell), geometry.y(cell));
    context.moveTo(x + 3.5, y);
    context.arc(x, y, 3.5, 0, 7);
  }
  context.fill();
}

/** Far out a jump point is under a pixel: it is drawn as a diamond, amber while still open. */
function jumpPoints(pane, palette) {
  const { workContext: context, tape, layers } = pane, { geometry, events } = tape, [from, to, list] = tape.listed(K.JUMP, 2 * NEWEST);
  const jump = palette.css('jump'), open = palette.css('open'), size = Math.max(.8, Math.min(3.2, pane.zoom * 1.05));
  for (let k = from; k < to; k++) {
    const cell = events[list[k] * 4 + 1], [x, y] = pane.toScreen(geometry.x(cell), geometry.y(cell));
    if (x < 0 || y < 0 || x > pane.width || y > pane.height) continue;
    const page = tape.page(cell);
    context.fillStyle = page && page.flags[tape.slot] & F.OPEN && layers.open ? open : jump;
    if (size < 1.2) context.fillRect(x - size, y - size, 2 * size, 2 * size);
    else diamond(context, x, y, size);
  }
}
function diamond(context, x, y, size) {
  context.beginPath();
  context.moveTo(x, y - size);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.lineTo(x - size, y);
  context.fill();
}

function lastSearch(pane, palette) {
  const { workContext: context, tape } = pane, { geometry, events } = tape, step = tape.latestStep(K.LOOK);
  if (step < 0 || tape.at - step >= LOOK_AGE) return;
  const [from, to] = tape.range(step), side = geometry.tiled ? Math.max(pane.camera.z, 1.6) : Math.max(3, Math.min(12, pane.zoom * .5));
  context.fillStyle = palette.css('lookfill');
  for (let event = from; event < to; event++) {
    const cell = events[event * 4 + 1];
    if (events[event * 4] !== K.LOOK || !geometry.has(cell)) continue;
    const [x, y] = pane.toScreen(geometry.x(cell), geometry.y(cell));
    context.fillRect(x - side / 2, y - side / 2, side, side);
  }
}

/** Stored problems that the newest step tried, from their start to their goal. */
function records(pane, colour) {
  const { workContext: context, tape } = pane, { geometry, events } = tape, step = tape.latestStep(K.RECORD);
  if (step < 0) return;
  const [from, to] = tape.range(step);
  context.beginPath();
  for (let event = from; event < to; event++) {
    const a = events[event * 4 + 2], b = events[event * 4 + 1];
    if (events[event * 4] !== K.RECORD || !geometry.has(a) || !geometry.has(b)) continue;
    const [ax, ay] = pane.toScreen(geometry.x(a), geometry.y(a)), [bx, by] = pane.toScreen(geometry.x(b), geometry.y(b));
    context.moveTo(ax, ay);
    context.quadraticCurveTo((ax + bx) / 2 - (by - ay) * .15, (ay + by) / 2 + (bx - ax) * .15, bx, by);
  }
  stroke(context, 1.25, colour, null, [6, 3]);
}

/** The newest plan; its first event has itself as `from`. */
function plan(pane, colour) {
  const { workContext: context, tape } = pane, { geometry, events } = tape, step = tape.latestStep(K.PLAN);
  if (step < 0) return;
  let [from, to] = tape.range(step), last = -1;
  for (let event = to - 1; event > from; event--) if (events[event * 4] === K.PLAN && events[event * 4 + 1] === events[event * 4 + 2]) { from = event; break; }
  context.beginPath();
  for (let event = from; event < to; event++) {
    if (events[event * 4] !== K.PLAN) continue;
    const cell = events[event * 4 + 1], before = events[event * 4 + 2];
    if (!geometry.has(cell) || !geometry.has(before)) continue;
    if (before !== last) context.moveTo(...pane.toScreen(geometry.x(before), geometry.y(before)));
    context.lineTo(...pane.toScreen(geometry.x(cell), geometry.y(cell)));
    last = cell;
  }
  stroke(context, 2, colour, null, [2, 4]);
}

function tail(pane, colour, start) {
  const { tape } = pane, moves = tape.at ? tape.moveEnd[tape.at - 1] : 0;
  if (!moves) return;
  const points = line(tape.geometry, tape.moves.subarray(Math.max(0, moves - TAIL), moves));
  trace(pane, moves <= TAIL && start ? [start.x, start.y, ...points] : points);
  stroke(pane.workContext, pane.zoom < 3 ? 1.6 : Math.min(3, lineWidth(pane)), colour);
}

/** On a mesh the nodes of the path lie on portals: the line pulled tight is shown in their place. */
function path(pane, palette) {
  const { tape, world } = pane, { events } = tape;
  if (tape.pathAt < 0 || tape.at <= tape.pathStep) return;
  const cells = [];
  for (let event = tape.pathAt; event < tape.count && events[event * 4] === K.PATH; event++) cells.push(events[event * 4 + 1]);
  trace(pane, world.kind === 'mesh' && tape.points ? tape.points.map((value, k) => k % 2 ? value * world.sign : value) : line(tape.geometry, cells));
  stroke(pane.workContext, Math.max(3, lineWidth(pane)), palette.css('path'), palette.css('halo'));
}

/** Subgoals in their order; the newest stands out. */
function subgoals(pane, palette) {
  const { workContext: context, tape } = pane, { geometry, events } = tape, [from, to, list] = tape.listed(K.SUBGOAL, 400);
  for (let k = from; k < to; k++) {
    const cell = events[list[k] * 4 + 1];
    if (!geometry.has(cell)) continue;
    const [x, y] = pane.toScreen(geometry.x(cell), geometry.y(cell)), size = k === to - 1 ? 7 : 5;
    context.lineWidth = 2;
    context.strokeStyle = palette.css('sub');
    context.fillStyle = palette.css(k === to - 1 ? 'open' : 'halo');
    context.beginPath();
    context.rect(x - size, y - size, 2 * size, 2 * size);
    context.fill();
    context.stroke();
  }
}

/** Where the agent came into another region: its number in a disc, the newest filled. */
function regions(pane, palette) {
  const { workContext: context, tape } = pane, { geometry, events, values } = tape, [from, to, list] = tape.listed(K.REGION, 60);
  context.font = '600 10px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineWidth = 1.5;
  context.strokeStyle = palette.css('sub');
  for (let k = from; k < to; k++) {
    const cell = events[list[k] * 4 + 1], text = String(values[list[k] * 4 + 3]);
    if (!geometry.has(cell)) continue;
    const [x, y] = pane.toScreen(geometry.x(cell), geometry.y(cell)), radius = Math.max(8, 4 + text.length * 3);
    context.fillStyle = palette.css(k === to - 1 ? 'open' : 'panel');
    context.beginPath();
    context.arc(x, y, radius, 0, 7);
    context.fill();
    context.stroke();
    context.fillStyle = k === to - 1 ? '#18212c' : palette.css('ink'); // dark on amber in both themes
    context.fillText(text, x, y + .5);
  }
}

/** A box holds all states for which its edge begins a shortest path; each edge has its colour. */
function boxes(pane, palette, list) {
  const { workContext: context, tape: { geometry } } = pane;
  list.forEach(({ edge, box }, k) => {
    const colour = palette.css('box' + k % 4), [ax, ay] = pane.toScreen(box[0], box[1]);
    const [bx, by] = pane.toScreen(box[2], box[3]);
    context.strokeStyle = context.fillStyle = colour;
    context.globalAlpha = .10;
    context.fillRect(ax, ay, bx - ax, by - ay);
    context.globalAlpha = 1;
    context.lineWidth = 1.5;
    context.setLineDash(k >= 4 ? [6, 3] : []);
    context.strokeRect(ax, ay, bx - ax, by - ay);
    context.setLineDash([]);
    if (!geometry.has(edge[0]) || !geometry.has(edge[1])) return;
    context.beginPath();
    context.moveTo(...pane.toScreen(geometry.x(edge[0]), geometry.y(edge[0])));
    context.lineTo(...pane.toScreen(geometry.x(edge[1]), geometry.y(edge[1])));
    stroke(context, 3, colour);
  });
}
function hubs(pane, palette, list, hover) {
  const { workContext: context, tape: { geometry } } = pane, colour = palette.css('hop');
  context.beginPath();
  for (const { cell } of list) if (geometry.has(cell) && hover) {
    context.moveTo(...pane.toScreen(hover.x, hover.y));
    context.lineTo(...pane.toScreen(geometry.x(cell), geometry.y(cell)));
  }
  context.globalAlpha = .45;
  stroke(context, 1, colour);
  context.globalAlpha = 1;
  context.fillStyle = colour;
  for (const { cell } of list) if (geometry.has(cell)) diamond(context, ...pane.toScreen(geometry.x(cell), geometry.y(cell)), 4);
}
