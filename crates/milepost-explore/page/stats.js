// Numbers of each lane at the playhead, from the step table and never in between, and the table that compares lanes.
import { S, laneTitle } from './state.js';
import { $, bytesText, count, el, tenth } from './dom.js';
import { sentence } from './words.js';

const EVERY_MS = 90;
let lastTime = 0, timer = 0;

export function statsSoon() {
  if (performance.now() - lastTime > EVERY_MS) stats();
  else if (!timer) timer = setTimeout(() => { timer = 0; stats(); }, EVERY_MS + 10);
}

export function numbers(lane) {
  const { tape } = lane;
  if (!tape) return { finished: false, cost: null, over: null, expansions: 0, work: 0, largest: 0, memory: 0, done: null, now: 0 };
  const { at, summary } = tape, finished = !!tape.done && at >= tape.steps;
  const cost = lane.family === 'planner' ? (finished ? summary?.cost ?? null : null) : at ? tape.cost[at - 1] : 0;
  return {
    finished, cost, done: tape.done,
    over: finished && tape.done === 'found' && cost !== null && S.best?.cost ? (cost / S.best.cost - 1) * 100 : null,
    expansions: at ? tape.expansions[at - 1] : 0,
    work: tape.workAt(at), now: at ? tape.work[at - 1] : 0, largest: at ? tape.peak(0, at) : 0,
    memory: summary?.memory || 0,
  };
}
/** Searches that are not told of have none to show. */
const expanded = now => now.expansions || !now.work ? count(now.expansions) : '–';
const overText = over => over < 1e-5 ? 'optimal' : `+${tenth(over)} %`;

export function stats() {
  lastTime = performance.now();
  $('#say').textContent = sentence(S.lanes[S.active]);
  for (const lane of S.lanes) if (lane.ui) fill(lane, numbers(lane));
  table();
}
function fill(lane, now) {
  const { ui } = lane;
  ui.cost.value.textContent = now.cost === null ? '–' : tenth(now.cost);
  ui.over.label.textContent = now.over === null ? 'Optimum' : 'Versus optimum';
  ui.over.value.textContent = now.over !== null ? overText(now.over) : S.best?.cost ? tenth(S.best.cost) : '–';
  ui.expansions.value.textContent = expanded(now);
  ui.now.value.textContent = count(now.now);
  ui.largest.label.textContent = lane.bound ? `Largest step, of ${count(lane.bound)}` : 'Largest step';
  ui.largest.value.textContent = count(now.largest);
  ui.memory.value.textContent = bytesText(now.memory);
  const state = lane.error ? 'not run' : !now.finished ? (S.playing ? 'running' : `step ${count(lane.tape ? lane.tape.at : 0)}`)
    : now.done === 'found' ? 'at the goal' : now.done === 'unreachable' ? 'no way' : now.done;
  ui.state.textContent = state;
  ui.state.className = 'pstate' + (lane.error ? ' bad' : now.finished ? now.done === 'found' ? ' good' : ' bad' : '');
}

const COLUMNS = ['Cost', 'Versus optimum', 'Work so far', 'Expansions', 'Largest step', 'Peak memory'];
export function table() {
  const box = $('#tablebox');
  box.hidden = S.lanes.length < 2;
  if (box.hidden) return;
  const all = S.lanes.map(numbers), most = Math.max(1, ...all.map(now => now.work));
  // the best of a column is marked once every lane has ended, and only among those that arrived
  const least = key => all.every(now => now.finished) ? Math.min(...all.filter(now => now.done === 'found').map(now => now[key])) : NaN;
  const rows = S.lanes.map((lane, k) => {
    const now = all[k], won = (key, slack = 0) => now.done === 'found' && now[key] <= least(key) + slack;
    const cell = (text, best) => el(best ? 'td.best' : 'td', {}, text);
    const bar = el('span.mini'), work = cell('', won('work'));
    bar.style.width = `${Math.max(2, now.work / most * 90)}px`;
    work.append(bar, count(now.work));
    if (lane.ui) lane.ui.name.textContent = laneTitle(lane);
    return el('tr', { data: { test: `row-${lane.tag}` } },
      el('th', { scope: 'row' }, el('span.tag', {}, lane.tag), laneTitle(lane)),
      cell(now.cost === null ? '–' : tenth(now.cost), won('cost', 1e-6)),
      cell(now.over === null ? '–' : overText(now.over)),
      work,
      cell(expanded(now), now.expansions > 0 && won('expansions')),
      cell(count(now.largest) + (lane.bound ? ` of ${count(lane.bound)}` : ''), won('largest')),
      cell(bytesText(now.memory), won('memory')));
  });
  box.replaceChildren(el('table', { id: 'table' },
    el('caption.sr', {}, 'Compared on the same problem, at this point of the timeline'),
    el('thead', {}, el('tr', {}, ...['Algorithm', ...COLUMNS].map(name => el('th', { scope: 'col' }, name)))),
    el('tbody', {}, ...rows)));
}
