// How a solid is seen: from above, from two sides or aslant; whole, or the boxes that one level cuts.
import { S } from './state.js';
import { $, $$, el } from './dom.js';
import { VIEWS } from './geometry.js';
import { ask } from './frame.js';
import { fit } from './panes.js';

/** The controls, on the map of the first pane. */
export function viewControls() {
  const { solid } = S.world, last = solid.levels - 1;
  const buttons = Object.entries(VIEWS).map(([key, { name }]) => el('button', { role: 'radio', 'aria-checked': key === solid.name, data: { view: key, test: `view-${key}` }, onclick: () => setView(key) }, name));
  const level = el('input', { type: 'range', id: 'level', min: -1, max: last, value: solid.level ?? -1, 'aria-label': 'Level that is shown', oninput: () => setLevel(Number(level.value)) });
  return el('div.views', {}, el('div.seg', { role: 'radiogroup', 'aria-label': 'Seen from' }, ...buttons),
    el('label', {}, 'Level', level, el('output', { id: 'levelout', for: 'level' }, levelText())));
}
const levelText = () => S.world.solid.level === null ? 'all' : `${S.world.solid.level} of ${S.world.solid.levels}`;

function repaint() {
  const { solid } = S.world, slider = $('#level');
  slider.max = solid.levels - 1;
  slider.value = solid.level ?? -1;
  slider.setAttribute('aria-valuetext', levelText());
  $('#levelout').textContent = levelText();
  for (const button of $$('[data-view]')) button.setAttribute('aria-checked', button.dataset.view === solid.name);
  for (const which of ['start', 'goal']) if (S[which].cell !== null) S[which] = S.world.place(S[which].cell);
  for (const { tape } of S.lanes) tape?.dirtyAll();
  ask(true, true);
}
export function setView(name) {
  S.world.solid.look(name);
  S.best = S.best && { ...S.best, points: S.world.line(S.best.cells) };
  repaint();
  fit();
}
/** Below the lowest level all of them are shown. */
export function setLevel(level) {
  const { solid } = S.world;
  solid.level = level < 0 ? null : Math.min(level, solid.levels - 1);
  repaint();
}
