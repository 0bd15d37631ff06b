// The sheet of all algorithms, as the registry lists them, with what each reads and why one can't run on this map.
import { S, GROUPS, laneFrom, refusal } from './state.js';
import { $, el, plain, sheet } from './dom.js';
import { lanesChanged } from './panel.js';

export function pickAlgorithm() {
  const columns = el('div.cols'), lane = S.lanes[S.active];
  const fill = wanted => columns.replaceChildren(...Object.keys(GROUPS).map(family => column(family, lane, wanted)));
  const find = el('input', { type: 'text', id: 'algfind', placeholder: 'Find', 'aria-label': 'Find an algorithm by name or words', oninput: () => fill(find.value.toLowerCase()) });
  fill('');
  const dialog = sheet('dlg-alg', 'Choose an algorithm', [columns], find);
  (dialog.querySelector('[aria-current=true]') || find).focus();
}

function column(family, lane, wanted) {
  const entries = S.hello.algorithms.filter(entry => entry.family === family)
    .filter(entry => `${entry.name} ${entry.title} ${entry.line}`.toLowerCase().includes(wanted))
    .map(entry => ({ entry, refused: refusal(entry, S.world) }))
    .sort((a, b) => !!a.refused - !!b.refused);
  const [title, words] = GROUPS[family];
  return el('div', {}, el('h3', {}, title), el('p', {}, words), ...entries.map(({ entry, refused }) => button(entry, refused, lane)));
}
function button(entry, refused, lane) {
  const pills = (entry.needs || []).map(need => {
    const built = S.world.indexes.some(index => index === need || index.startsWith(need + ':'));
    return el(built ? 'i.have' : 'i', {}, built ? `index ${need}, built` : `index ${need}`);
  });
  if (refused) pills.push(el('i', {}, refused));
  return el('button.alg', {
    data: { alg: `${entry.family}/${entry.name}`, test: `alg-${entry.family}-${entry.name}` }, disabled: !!refused, 'aria-current': entry === lane.entry,
    onclick: () => choose(`${entry.family}/${entry.name}`),
  }, el('b', {}, entry.title), ...pills, el('span', {}, plain(entry.line)));
}
/** Puts an algorithm into the active pane. */
export function choose(text) {
  $('#dlg-alg').close();
  S.lanes[S.active] = laneFrom(text);
  const done = lanesChanged();
  $('#algbtn').focus();
  return done;
}
