// A scene as the fragment of the address, readable and without the server's token:
// #map=KEY&from=20,30&to=150,160&run=planner/astar:h=octile|scout/rtaa:sight=3&lock=work&t=312&view=97,97,4.1&edits=64:312,90!x.y.n
import { S, laneText } from './state.js';

/** Runs of numbers that follow one another: [first, how many]. */
function runsOf(numbers) {
  const runs = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last[0] + last[1] === number) last[1]++;
    else runs.push([number, 1]);
  }
  return runs;
}
/** Runs of cells in a row, "x.y.n" in base 36; on maps without rows "state.n", and "*edge.n". */
export function cellsText({ cells, edges }, world) {
  const text = number => number.toString(36), { geometry } = world;
  const place = cell => world.kind === 'grid' ? `${text(geometry.column(cell))}.${text(geometry.row(cell))}` : text(cell);
  return [...runsOf(cells).map(([first, number]) => `${place(first)}.${text(number)}`), ...runsOf(edges).map(([first, number]) => `*${text(first)}.${text(number)}`)].join('_');
}
/** The opposite; `world` is the map the scene is opened on. */
export function cellsRead(text, world) {
  const read = { cells: [], edges: [] };
  for (const run of text.split('_')) {
    const isEdge = run.startsWith('*'), numbers = run.slice(isEdge ? 1 : 0).split('.').map(part => parseInt(part, 36)), number = numbers.pop();
    if (!(number > 0 && number < 1e5) || numbers.some(value => !(value >= 0))) continue;
    const first = world.kind === 'grid' ? world.geometry.cell(numbers[0], numbers[1]) : numbers[0];
    for (let k = 0; k < number; k++) read[isEdge ? 'edges' : 'cells'].push(first + k);
  }
  return read;
}

function placeText(place) {
  const { world } = S, digits = value => Math.round(value * 1000) / 1000;
  if (world.kind === 'grid') return `${world.geometry.column(place.cell)},${world.geometry.row(place.cell)}`;
  return world.kind === 'mesh' ? `${digits(place.x)},${digits(place.y * world.sign)}` : `${place.cell}`;
}
const READABLE = { '%2C': ',', '%3A': ':', '%2F': '/', '%3D': '=', '%7C': '|', '%21': '!' };
const escape = text => encodeURIComponent(text).replace(/%(2C|3A|2F|3D|7C|21)/g, code => READABLE[code]);

export function writeLink() {
  const fields = [['map', S.mapRef], ['from', placeText(S.start)], ['to', placeText(S.goal)], ['run', S.lanes.map(laneText).join('|')]];
  if (S.moves) fields.push(['moves', S.moves]);
  if (S.lanes.length > 1) fields.push(['lock', S.lock]);
  fields.push(['t', Math.round(S.t)]);
  if (!S.autoFit) fields.push(['view', [S.camera.x.toFixed(1), S.camera.y.toFixed(1), S.camera.z.toFixed(3)].join()]);
  const edits = S.undo.map(({ cells, edges, to, at }) => `${to}:${at ? at + '!' : ''}${cellsText({ cells, edges }, S.world)}`).join('~');
  if (edits) fields.push(['edits', edits]);
  return '#' + fields.map(([key, value]) => `${key}=${escape(String(value))}`).join('&');
}

/** The scene of a fragment, or null. Edits stay text until the map is open: only it knows its rows. */
export function readLink(hash) {
  const fields = new Map();
  for (const field of hash.replace(/^#/, '').split('&')) {
    const cut = field.indexOf('=');
    if (cut > 0) try { fields.set(field.slice(0, cut), decodeURIComponent(field.slice(cut + 1))); } catch { /* a broken escape: the field is left out */ }
  }
  if (!fields.has('map')) return null;
  const numbers = key => { const list = fields.get(key)?.split(',').map(Number); return list?.every(Number.isFinite) ? list : null; };
  const view = numbers('view');
  return {
    map: fields.get('map'), moves: fields.get('moves') || '', start: numbers('from'), goal: numbers('to'),
    lanes: (fields.get('run') || '').split('|').filter(Boolean).slice(0, 4), lock: fields.get('lock') === 'steps' ? 'steps' : 'work',
    t: numbers('t')?.[0] ?? null, view: view?.length === 3 && view[2] > 0 ? view : null,
    editsText: fields.get('edits') || '',
  };
}
/** Strokes of a link's text, now that the map is open. */
export function readEdits(text, world) {
  return text.split('~').filter(Boolean).map(stroke => {
    const [, to, at, places] = /^(\d+):(?:([\d,]+)!)?(.*)$/.exec(stroke) || [];
    return to ? { to: Number(to), at: at ? at.split(',').map(Number) : null, ...cellsRead(places, world) } : null;
  }).filter(Boolean);
}
