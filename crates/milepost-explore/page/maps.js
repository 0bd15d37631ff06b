// The sheet of maps: shipped ones with a picture, the generator with its knobs, the moves, and files.
import { S, call, laneText } from './state.js';
import { $, count, el, plain, sheet } from './dom.js';
import { palette } from './palette.js';
import { makeWorld, setScene } from './runs.js';
import { openFiles } from './files.js';

const KINDS = { mesh: 'navigation mesh', tree: 'tree of free squares', graph: 'graph' };
const lanesNow = () => S.lanes.map(laneText);
const sceneOf = (map, more) => { S.scene = -1; return setScene({ map, lanes: lanesNow(), lock: S.lock, moves: $('#moves')?.value || S.moves, ...more }); };

export function pickMap() {
  const cards = el('div.maps', {}, ...S.hello.maps.map(mapCard));
  const children = [cards];
  if (S.hello.given) children.unshift(givenCard());
  if (S.hello.generators?.length) children.push(el('h2.sub', {}, 'Generate'), generator());
  if (S.hello.rules?.length) children.push(el('h2.sub', {}, 'Moves'), rules());
  children.push(el('h2.sub', {}, 'Your own'), fileBox());
  sheet('dlg-map', 'Choose a map', children);
}

function mapCard(map) {
  const canvas = el('canvas', { width: 320, height: 200, 'aria-hidden': 'true' });
  thumbnail(map.key, canvas);
  return el('button.mapcard', { data: { map: map.key, test: `map-${map.key}` }, 'aria-current': S.mapRef === map.key, onclick: () => {
    $('#dlg-map').close();
    const known = S.scenes.find(scene => scene.map === map.key);
    sceneOf(map.key, { start: known?.start, goal: known?.goal });
  } }, canvas, el('div', {}, el('b', {}, map.title), el('span', {}, plain(map.line || map.source || '')), el('span', {}, map.kind && map.kind !== 'grid' ? KINDS[map.kind] : `${count(map.width)} × ${count(map.height)} cells`)));
}
function givenCard() {
  return el('p', {}, el('button.btn.out', { data: { test: 'given' }, onclick: () => { $('#dlg-map').close(); sceneOf('given', { file: { given: true } }); } },
    `The file of the command: ${S.hello.given.name}`));
}

const thumbnails = new Map(); // key: a promise of the map, for its picture
let lastOpened = Promise.resolve(); // one after another: the engine keeps a few maps only, and the one on the stage is among them
function openForPicture(key) {
  const world = lastOpened.then(async () => {
    const answer = await call('open', { shipped: key });
    call('drop', { runs: [], maps: [answer.map] }).catch(() => {});
    return makeWorld(answer);
  });
  lastOpened = world.catch(() => {});
  return world;
}
async function thumbnail(key, canvas) {
  try {
    if (!thumbnails.has(key)) thumbnails.set(key, openForPicture(key));
    const world = await thumbnails.get(key);
    if (world.kind !== 'grid') { shapes(world, canvas); return; }
    const small = Object.assign(document.createElement('canvas'), { width: world.width, height: world.height });
    const context = small.getContext('2d'), image = context.createImageData(world.width, world.height), pixels = new Uint32Array(image.data.buffer);
    for (let y = 0, k = 0; y < world.height; y++) for (let x = 0; x < world.width; x++) pixels[k++] = palette().ground[world.classAt(x, y)];
    context.putImageData(image, 0, 0);
    const surface = canvas.getContext('2d'), scale = Math.min(320 / world.width, 200 / world.height);
    surface.fillStyle = palette().css('wall');
    surface.fillRect(0, 0, 320, 200);
    surface.imageSmoothingQuality = 'high';
    surface.drawImage(small, (320 - world.width * scale) / 2, (200 - world.height * scale) / 2, world.width * scale, world.height * scale);
  } catch { thumbnails.delete(key); }
}

/** A small drawing of a graph, tree or mesh, by a pane that only the drawing knows. */
function shapes(world, canvas) {
  const [x0, y0, x1, y1] = world.bounds(), context = canvas.getContext('2d');
  const camera = { x: (x0 + x1) / 2, y: (y0 + y1) / 2, z: Math.min(308 / (x1 - x0), 188 / (y1 - y0)) };
  const pane = { ground: canvas, groundContext: context, camera, scale: 1, width: 320, height: 200,
    toScreen: (x, y) => [(x - camera.x) * camera.z + 160, (y - camera.y) * camera.z + 100] };
  while (world.drawGround(pane, palette(), {}));
}

/** One knob of a generator, from the same fields as an algorithm's parameter. */
function knob(param) {
  const about = { name: param.key, title: plain(param.say || ''), data: { test: `gen-${param.key}` } };
  const input = param.kind === 'choice'
    ? el('select', about, ...param.of.map(option => el('option', { value: option, selected: option === param.default }, option)))
    : param.kind === 'flag' ? el('input', { ...about, type: 'checkbox', checked: String(param.default) === 'true' })
      : el('input', { ...about, type: param.kind === 'number' ? 'number' : 'text', min: param.min ?? '', max: param.max ?? '', step: param.step || 'any', value: param.default ?? '' });
  return el('label', {}, param.name || param.key, input);
}
const SIZES = side => [
  { key: 'width', name: 'Width', kind: 'number', min: 16, max: side, step: 1, default: 512, say: 'cells from left to right' },
  { key: 'height', name: 'Height', kind: 'number', min: 16, max: side, step: 1, default: 512, say: 'cells from top to bottom' },
  { key: 'seed', name: 'Seed', kind: 'number', min: 0, max: 999999, step: 1, default: 7, say: 'another seed is another map' },
];
function generator() {
  const kinds = S.hello.generators, knobs = el('div.gen'), line = el('p.note');
  const choose = el('select', { id: 'genkind', onchange: () => show(kinds.find(kind => kind.kind === choose.value)) },
    ...kinds.map(kind => el('option', { value: kind.kind }, kind.title || kind.kind)));
  const show = kind => {
    const own = kind.params || [], common = SIZES(S.hello.limits?.side || 4096).filter(size => !own.some(param => param.key === size.key));
    knobs.replaceChildren(...[...common, ...own].map(knob));
    line.textContent = plain(kind.line || '');
  };
  show(kinds[0]);
  const submit = event => {
    event.preventDefault();
    const values = [...knobs.querySelectorAll('[name]')].map(input => [input.name, input.type === 'checkbox' ? String(input.checked) : input.value]).filter(([, value]) => value !== '');
    $('#dlg-map').close();
    sceneOf(`gen:${choose.value}:${values.map(([key, value]) => `${key}=${value}`).join(',')}`);
  };
  return el('form', { id: 'genform', onsubmit: submit }, el('div.gen', {}, el('label', {}, 'Kind', choose), knobs, el('button.btn.solid', { id: 'generate' }, 'Generate')), line);
}
function rules() {
  const line = el('p.note'), now = S.moves || '';
  const tell = value => { line.textContent = value ? plain(S.hello.rules.find(rule => rule.name === value)?.line || '') : 'the moves that the map asks for'; };
  const select = el('select', { id: 'moves', 'aria-label': 'Moves', onchange: () => { tell(select.value); reopen(); } },
    el('option', { value: '' }, 'as the map says'), ...S.hello.rules.map(rule => el('option', { value: rule.name, selected: rule.name === now }, rule.name)));
  tell(now);
  /** The map that is open, with other moves. */
  const reopen = () => { $('#dlg-map').close(); sceneOf(S.mapRef, { moves: select.value, file: S.file }); };
  return el('div', {}, select, line);
}
function fileBox() {
  const input = el('input.sr', { type: 'file', id: 'file', multiple: true, 'aria-label': 'Open a file', onchange: () => {
    if (!input.files.length) return;
    $('#dlg-map').close();
    openFiles([...input.files]);
  } });
  const kinds = (S.hello.files || []).join(' ');
  return el('label.filebox', {}, input, el('span', {}, `Drop a file anywhere on the page (${kinds}), or `, el('b', {}, 'choose one'), '. Nothing leaves this machine.'));
}
