// Cost against work over many random problems: a chart and a table for the lanes that are open.
import { S, call, laneTitle, laneWire } from './state.js';
import { $, count, el, sheet, svg, tenth, toastError } from './dom.js';

const COUNT = 60, WIDTH = 960, HEIGHT = 340, LEFT = 54, BOTTOM = 40, TOP = 16, RIGHT = 16;
export const lastBatch = { rows: [] }; // for tests

export function batchSheet() {
  const number = el('input', { type: 'number', id: 'batchcount', min: 1, max: 500, value: COUNT }), seed = el('input', { type: 'number', id: 'batchseed', min: 0, max: 999999, value: 1 });
  const go = el('button.btn.solid', { id: 'batchgo' }, 'Run'), out = el('div', { id: 'batchout' });
  const submit = event => { event.preventDefault(); run(Number(number.value), Number(seed.value), go, out); };
  sheet('dlg-batch', 'Many problems: cost against work', [
    el('form.gen', { onsubmit: submit }, el('label', {}, 'Problems', number), el('label', {}, 'Seed', seed), go),
    el('p.note', {}, `Random problems on ${S.title}, for ${S.lanes.map(laneTitle).join(', ')}. Add panes to compare more.`), out]);
}

async function run(number, seed, go, out) {
  const bar = el('progress', { max: 1, value: 0, 'aria-label': 'Problems done' }), lanes = [...S.lanes];
  go.disabled = true;
  out.replaceChildren(bar);
  try {
    const answer = await call('batch', { map: S.world.id, lanes: lanes.map(laneWire), count: number, seed }, { progress: ({ done, total }) => { bar.value = total ? done / total : 0; } });
    lastBatch.rows = answer.rows;
    out.replaceChildren(chart(answer.rows, lanes), summary(answer.rows, lanes));
  } catch (error) {
    out.replaceChildren(el('p', { role: 'alert' }, `${error.say || error.message} ${error.hint || ''}`));
    if (error.gone) { $('#dlg-batch').close(); toastError(error); }
  } finally { go.disabled = false; }
}

const ratio = row => row.optimum ? row.cost / row.optimum : 1;
const solved = row => row.cost !== null && row.cost !== undefined && row.work > 0;
const mean = list => list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length);
/** The mark of a lane: its shape tells it apart as well as its colour. */
const SHAPES = [
  (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  (x, y, r) => `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
  (x, y, r) => `M${x} ${y - r * 1.3}l${r * 1.3} ${r * 2.2}h${-r * 2.6}z`,
  (x, y, r) => `M${x} ${y - r * 1.3}l${r * 1.3} ${r * 1.3}l${-r * 1.3} ${r * 1.3}l${-r * 1.3} ${-r * 1.3}z`,
];

/** Work on a scale of tens from left to right, cost as times the optimum upwards. */
function chart(rows, lanes) {
  const good = rows.filter(solved), least = Math.max(1, Math.min(...good.map(row => row.work))), most = Math.max(least * 10, ...good.map(row => row.work));
  const worst = Math.max(1.1, ...good.map(ratio)), low = Math.floor(Math.log10(least)), high = Math.ceil(Math.log10(most));
  const x = work => LEFT + (Math.log10(Math.max(1, work)) - low) / Math.max(1, high - low) * (WIDTH - LEFT - RIGHT);
  const tall = HEIGHT - TOP - BOTTOM, y = value => TOP + tall - (worst > 4 ? Math.log(value) / Math.log(worst) : (value - 1) / (worst - 1)) * tall;
  const parts = [], text = (words, at) => { const node = svg('text', at); node.textContent = words; parts.push(node); };
  for (let power = low; power <= high; power++) {
    const at = x(10 ** power);
    parts.push(svg('line', { class: 'rule', x1: at, x2: at, y1: TOP, y2: TOP + tall }));
    text(count(10 ** power), { x: at, y: TOP + tall + 16, 'text-anchor': 'middle' });
  }
  for (const part of [0, .25, .5, .75, 1]) {
    const value = worst > 4 ? worst ** part : 1 + (worst - 1) * part, at = y(value);
    parts.push(svg('line', { class: part ? 'rule' : 'optimal', x1: LEFT, x2: WIDTH - RIGHT, y1: at, y2: at }));
    text(!part ? 'optimal' : worst > 4 ? `×${value.toFixed(1)}` : `+${tenth((value - 1) * 100)} %`, { x: LEFT - 6, y: at + 4, 'text-anchor': 'end' });
  }
  text('work of a whole problem (units, scale of tens)', { x: (LEFT + WIDTH) / 2, y: HEIGHT - 6, 'text-anchor': 'middle' });
  for (const row of good) parts.push(svg('path', { class: `mark d${row.lane}`, d: SHAPES[row.lane % 4](x(row.work), y(ratio(row)), 3.2) }));
  lanes.forEach((lane, k) => {
    const mine = good.filter(row => row.lane === k);
    if (!mine.length) return;
    const at = [x(mean(mine.map(row => row.work))), y(mean(mine.map(ratio)))];
    parts.push(svg('path', { class: `mean d${k}`, d: SHAPES[k % 4](...at, 8) }));
  });
  return svg('svg', { class: 'chart', id: 'batchchart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': 'Cost against work; the table below has the means' }, ...parts);
}

function summary(rows, lanes) {
  const head = ['Algorithm', 'Solved', 'Cost over optimum, mean', 'Work, mean', 'Largest step', 'Time, mean'];
  const body = lanes.map((lane, k) => {
    const mine = rows.filter(row => row.lane === k), good = mine.filter(solved), swatch = svg('svg', { class: 'i chart', viewBox: '0 0 20 20', 'aria-hidden': 'true' }, svg('path', { class: `d${k}`, d: SHAPES[k % 4](10, 10, 5) }));
    const cells = [`${count(good.length)} of ${count(mine.length)}`, good.length ? `+${tenth((mean(good.map(ratio)) - 1) * 100)} %` : '–', count(mean(good.map(row => row.work))),
      count(Math.max(0, ...good.map(row => row.largest))), `${tenth(mean(good.map(row => row.ms)))} ms`];
    const name = el('th', { scope: 'row' }, el('span.tag', {}, lane.tag), laneTitle(lane));
    name.prepend(swatch);
    return el('tr', {}, name, ...cells.map(words => el('td', {}, words)));
  });
  return el('table', { id: 'batchtable' }, el('thead', {}, el('tr', {}, ...head.map(name => el('th', { scope: 'col' }, name)))), el('tbody', {}, ...body));
}
