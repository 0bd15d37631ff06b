// The panes' part of the document: head with numbers, map, zoom; how they share the stage; and the camera they share.
import { S, laneTitle } from './state.js';
import { $, $$, el, iconButton } from './dom.js';
import { Pane } from './pane.js';
import { ask } from './frame.js';
import { table } from './stats.js';
import { listenToMap } from './pointer.js';
import { showOffer } from './offer.js';
import { floatingTools } from './tools.js';
import { viewControls } from './views.js';
import { dropLaneOfEdits } from './edits.js';
import { rerun } from './runs.js';
import { panel } from './panel.js';

const HEAD = 44, LEAST_ZOOM = .02, MOST_ZOOM = 64;

/** As many columns as show the map largest. */
export function layoutPanes() {
  const host = $('#panes'), number = S.lanes.length, box = host.getBoundingClientRect(), [x0, y0, x1, y1] = S.world.bounds();
  let best = 1, largest = 0;
  for (let columns = 1; columns <= number; columns++) {
    const rows = Math.ceil(number / columns);
    if (rows > 1 && columns * rows - number >= rows) continue;
    const zoom = Math.min(box.width / columns / (x1 - x0), (box.height / rows - HEAD) / (y1 - y0));
    if (zoom > largest * 1.001) { largest = zoom; best = columns; }
  }
  host.style.gridTemplateColumns = `repeat(${best}, minmax(0, 1fr))`;
  host.style.gridTemplateRows = `repeat(${Math.ceil(number / best)}, minmax(0, 1fr))`;
  host.dataset.cols = best;
  S.lanes.forEach((lane, k) => { lane.host.style.gridColumn = k === number - 1 ? `span ${best * Math.ceil(number / best) - number + 1}` : ''; });
  for (const { pane } of S.lanes) pane?.resize();
}
export function fit() {
  S.autoFit = true;
  layoutPanes();
  const { pane } = S.lanes[0], [x0, y0, x1, y1] = S.world.bounds();
  // room round the map, more of it above: a pin stands above its place
  const above = Math.min(34, pane.height * .07), below = Math.min(14, pane.height * .03), aside = Math.min(26, pane.width * .03);
  S.camera.z = Math.min(Math.max(40, pane.width - aside) / (x1 - x0), Math.max(40, pane.height - above - below) / (y1 - y0), S.world.kind === 'grid' ? 40 : Infinity);
  S.camera.x = (x0 + x1) / 2;
  S.camera.y = (y0 + y1) / 2 - (above - below) / 2 / S.camera.z;
  ask(true, true);
}
/** Zooms so that the point under (px, py) stays there. */
export function zoomAt(pane, px, py, factor) {
  S.autoFit = false;
  const { camera } = S, [x, y] = pane.toWorld(px, py), scale = S.world.kind === 'grid' ? 1 : 1 / S.world.unit();
  camera.z = Math.max(LEAST_ZOOM * scale, Math.min(MOST_ZOOM * scale, camera.z * factor));
  camera.x = x - (px - pane.width / 2) / camera.z;
  camera.y = y - (py - pane.height / 2) / camera.z;
  ask(true, true);
}
export const zoomMiddle = factor => { const { pane } = S.lanes[S.active]; zoomAt(pane, pane.width / 2, pane.height / 2, factor); };

export function activate(number) {
  if (!S.lanes[number] || S.active === number) return;
  S.active = number;
  S.lanes.forEach((lane, k) => lane.host.classList.toggle('on', k === number));
  panel();
  table();
}

export function buildPanes() {
  const host = $('#panes'), compared = S.lanes.length > 1;
  host.replaceChildren();
  host.dataset.n = S.lanes.length;
  host.classList.toggle('many', compared);
  $('#comparebtn').setAttribute('aria-pressed', compared);
  $('#lock').hidden = !compared;
  for (const button of $$('[data-lock]')) button.setAttribute('aria-checked', button.dataset.lock === S.lock);
  S.lanes.forEach((lane, k) => { lane.tag = 'ABCD'[k]; });
  S.lanes.forEach((lane, k) => host.append(buildPane(lane, k, compared)));
  for (const { pane } of S.lanes) pane.resize();
  table();
}

function statistic(list, label, kind) {
  const name = el('dt', {}, label), value = el('dd');
  list.append(el('div' + (kind ? '.' + kind : ''), {}, name, value));
  return { label: name, value };
}
function buildPane(lane, k, compared) {
  const name = el('span.pname', {}, laneTitle(lane)), state = el('span.pstate', { data: { test: `state-${lane.tag}` } }), list = el('dl.stats');
  lane.ui = {
    name, state,
    cost: statistic(list, lane.family === 'planner' ? 'Path cost' : 'Cost so far'),
    over: statistic(list, 'Optimum'),
    expansions: statistic(list, 'Expansions', compared ? 'wide' : ''),
    now: statistic(list, 'This step', 'wide'),
    largest: statistic(list, 'Largest step', 'wide'),
    memory: statistic(list, 'Peak memory', 'wide'),
  };
  const head = el('div.phead', {}, compared ? el('span.tag', {}, lane.tag) : null, name, state, list);
  if (compared) {
    const close = iconButton('close', `Close pane ${lane.tag}`, { onclick: () => closePane(k), data: { test: `close-${lane.tag}` } });
    close.classList.add('x');
    head.append(close);
  }
  const map = el('div.map', { tabIndex: 0, role: 'application', 'aria-roledescription': 'map', data: { test: `map-${lane.tag}` } });
  lane.map = map;
  lane.host = el('section.pane' + (k === S.active ? '.on' : ''), { 'aria-label': `${compared ? `Pane ${lane.tag}: ` : ''}${lane.entry.title}` }, head, map);
  lane.pane = new Pane(map, S.camera, S.layers);
  lane.pane.show(S.world, lane.tape, lane);
  lane.probe = el('div.probe', { hidden: true });
  if (k === 0) map.append(floatingTools(), ...(S.world.solid ? [viewControls()] : []));
  if (k === S.lanes.length - 1) map.append(zoomButtons());
  map.append(lane.probe);
  map.classList.toggle('paint', S.tool !== 'move');
  nameMap(lane);
  listenToMap(lane, k);
  if (lane.error) showOffer(lane);
  return lane.host;
}
/** The map's name tells a screen reader what a sighted user sees at once. */
export function nameMap(lane) {
  const { world } = S;
  lane.map.setAttribute('aria-label', `Map ${S.title}, ${world.sizeWords()}, start ${world.placeName(S.start)}, goal ${world.placeName(S.goal)}. `
    + 'Arrow keys move a cursor; S and G place start and goal there; W builds or removes a wall; plus, minus and 0 zoom.');
}
function zoomButtons() {
  return el('div.zoom', {},
    iconButton('plus', 'Zoom in (+)', { id: 'zoomin', onclick: () => zoomMiddle(1.5) }),
    iconButton('minus', 'Zoom out (-)', { id: 'zoomout', onclick: () => zoomMiddle(1 / 1.5) }),
    iconButton('fit', 'Whole map (0)', { id: 'zoomfit', onclick: fit }));
}
function closePane(k) {
  S.lanes.splice(k, 1);
  dropLaneOfEdits(k);
  S.active = Math.min(S.active, S.lanes.length - 1);
  S.scene = -1;
  buildPanes();
  fit();
  panel();
  rerun({ end: true }).then(panel);
}
