// Files that are dropped or chosen. The engine reads them and says in words what is wrong with one; the page checks the ending and the
// size only. A .scen belongs to the map that is open: its problems are offered one after another.
import { S, call, laneText } from './state.js';
import { $, bytesText, count, el, many, sheet, tenth, toast, toastError } from './dom.js';
import { rerun, setScene } from './runs.js';

let pending = null; // the scene of a link that waits for its file

/** Keeps a link's scene until its file is dropped. */
export function waitForFile(scene, name) {
  pending = { scene, name };
  toast(`This link shows the file ${name}, which it does not hold.`, 'Drop that file here to see the scene.');
}
const ENDING = /\.[^.]+$/;
/** Opens what was dropped: one file, or one with a second that belongs to it (roads and their coordinates). */
export async function openFiles(files) {
  const known = S.hello.files || [], isKnown = file => known.includes(ENDING.exec(file.name.toLowerCase())?.[0]);
  const main = files.find(isKnown) || files[0];
  if (main) await openFile(main, files.find(file => file !== main));
}
export async function openFile(file, second) {
  const ending = ENDING.exec(file.name.toLowerCase())?.[0] || '', known = S.hello.files || [], most = S.hello.limits?.bytes || 256 * 2 ** 20;
  if (known.length && !known.includes(ending)) { toast(`${file.name} is no file that the engine reads.`, `It reads ${known.join(', ')}.`); return; }
  if (file.size > most) { toast(`${file.name} has ${bytesText(file.size)}.`, `Files up to ${bytesText(most)} can be opened.`); return; }
  const read = async each => new Uint8Array(await each.arrayBuffer()), bytes = await read(file), beside = second ? await read(second) : null;
  if (ending === '.scen') { await openProblems(file.name, bytes); return; }
  S.scene = -1;
  const { scene, name } = pending || {}, matches = scene && name === file.name;
  const before = S.world;
  await setScene({ lanes: S.lanes.map(laneText), moves: S.moves, ...(matches ? scene : {}), map: `file:${file.name}`, file: { name: file.name, bytes, beside } });
  if (matches && S.world !== before) {
    const wanted = scene.map.split(':')[2];
    if (wanted && wanted !== String(S.world.hash)) toast(`${file.name} is not the file that the link was made with.`, 'The scene is shown on it as well as it goes.');
    pending = null;
  }
  if (S.world !== before && S.world.problems) pickProblem();
}

async function openProblems(name, bytes) {
  try {
    const answer = await call('open', { name, map: S.world.id }, { blocks: { bytes } });
    S.world.problems = answer.problems;
    pickProblem();
  } catch (error) { toastError(error); }
}

const PAGE = 50;
/** The problems of a scenario, a page at a time. */
export async function pickProblem(from = 0) {
  try {
    const { world } = S, { problems } = await call('problems', { map: world.id, from, count: PAGE });
    const place = value => Array.isArray(value) ? { cell: null, x: value[0], y: value[1] * world.sign } : world.place(value);
    const rows = problems.map(([start, goal, optimum], k) => el('button.alg', { data: { test: `problem-${from + k}` }, onclick: () => {
      $('#dlg-map').close();
      S.start = place(start);
      S.goal = place(goal);
      rerun({ play: true });
    } }, el('b', {}, `Problem ${count(from + k + 1)}`), el('span', {}, `${world.placeName(place(start))} to ${world.placeName(place(goal))}${optimum != null ? `, optimum ${tenth(optimum)}` : ''}`)));
    const more = from + PAGE < world.problems ? [el('button.btn.out', { onclick: () => pickProblem(from + PAGE) }, 'More')] : [];
    sheet('dlg-map', many(world.problems, 'problem', 'problems'), [...rows, ...more]);
  } catch (error) { toastError(error); }
}

export function listenToDrops() {
  let depth = 0;
  const show = on => { $('#drop').hidden = !on; };
  addEventListener('dragenter', event => { event.preventDefault(); depth++; $('#dropkinds').textContent = (S.hello?.files || []).join(' '); show(true); });
  addEventListener('dragleave', () => { depth = Math.max(0, depth - 1); if (!depth) show(false); });
  addEventListener('dragover', event => event.preventDefault());
  addEventListener('drop', event => {
    event.preventDefault();
    depth = 0;
    show(false);
    openFiles([...event.dataTransfer.files]);
  });
}
