// The right panel: scenes, the algorithm of the active lane with its promises and parameters, and the legend.
import { S, GROUPS, laneFrom } from './state.js';
import { $, calm, count, el, icon, plain, unitsText } from './dom.js';
import { form } from './form.js';
import { legend } from './legend.js';
import { nextLane } from './scenes.js';
import { activate, buildPanes, fit } from './panes.js';
import { rerun, setScene } from './runs.js';
import { dropEditsOnTheWay } from './edits.js';
import { pickAlgorithm } from './algorithms.js';
import { hideHint } from './hint.js';

const section = (title, ...children) => el('section', {}, el('h2', {}, title), ...children);

export function panel() {
  const host = $('#panel'), lane = S.lanes[S.active], scrolled = host.scrollTop, focused = host.contains(document.activeElement) ? document.activeElement.id : '';
  if (!lane) return;
  host.replaceChildren(section('Scenes', sceneChips()), section('Algorithm', ...algorithm(lane)), section('Legend', ...legend()));
  host.scrollTop = scrolled;
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function sceneChips() {
  return el('div.chips', { id: 'scenes' }, ...S.scenes.map((scene, k) => el('button.chip', {
    title: scene.line || '', 'aria-pressed': S.scene === k, id: `scene-${k}`,
    onclick: () => showScene(k),
  }, scene.title)));
}
export function showScene(number) {
  S.scene = number;
  history.replaceState(null, '', location.pathname + location.search);
  hideHint();
  return setScene(S.scenes[number]);
}

function algorithm(lane) {
  const { entry } = lane, children = [];
  if (S.lanes.length > 1) children.push(laneTabs());
  const facts = el('dl.facts'), fact = (name, text) => { if (text) facts.append(el('dt', {}, name), el('dd', {}, plain(text))); };
  fact('Promises', entry.guarantee);
  fact('A step', lane.bound ? `at most ${unitsText(lane.bound, lane.unit)}` : entry.family === 'planner' ? 'one unit of its search' : 'any amount of work');
  fact('Memory', entry.memory);
  fact('Index', (entry.needs || []).join(', '));
  if (lane.tape?.summary?.left) fact('Left out', `${count(lane.tape.summary.left)} events: the picture is not whole`);
  children.push(
    el('button.algbtn', { id: 'algbtn', 'aria-haspopup': 'dialog', onclick: pickAlgorithm },
      el('span', {}, el('b', {}, entry.title), el('span', {}, GROUPS[entry.family]?.[0] || entry.family)), icon('down')),
    el('p.line', {}, plain(entry.line).replace(/\.?$/, '.')), facts);
  const fields = form(lane, () => rerun({ live: true }).then(() => { if (!document.activeElement?.closest('#params')) panel(); }));
  if (fields) children.push(fields);
  return children;
}
function laneTabs() {
  const tabs = S.lanes.map((lane, k) => el('button', { role: 'tab', 'aria-selected': k === S.active, title: lane.entry.title, id: `tab-${lane.tag}`, onclick: () => activate(k) }, lane.tag));
  if (S.lanes.length < 4) tabs.push(el('button.add', { id: 'addpane', 'aria-label': 'Add a pane', onclick: () => addLane() }, icon('plus')));
  return el('div.ptabs', { role: 'tablist', 'aria-label': 'Pane to set up' }, ...tabs);
}

/** Everything that follows a change of the lanes. */
export function lanesChanged(how) {
  S.scene = -1;
  S.speedSet = false;
  dropEditsOnTheWay();
  buildPanes();
  if (S.autoFit) fit();
  panel();
  return rerun(how || { play: !calm(), end: calm() }).then(panel);
}
export function addLane(text) {
  if (S.lanes.length >= 4) return;
  S.lanes.push(laneFrom(text || nextLane(S.lanes)));
  S.active = S.lanes.length - 1;
  S.autoFit = true;
  lanesChanged();
}
/** Compare, or back to the active pane alone. */
export function toggleCompare() {
  if (S.lanes.length === 1) { addLane(); return; }
  S.lanes = [S.lanes[S.active]];
  S.active = 0;
  S.autoFit = true;
  lanesChanged({ end: true });
}
