// Changes to the map. A stroke is one entry of the undo list: {cells, edges, to, before, at}. Where agents stand in the middle of
// their walks (`at`: the step of each lane) the stroke belongs to the scene there and the runs are done anew: the moves before it
// stay the same. A planner answers at one moment, so that a stroke on the way is not for its lane.
import { S, call } from './state.js';
import { $$, toastError } from './dom.js';
import { ask } from './frame.js';
import { FLOOR, WALL } from './grid-world.js';
import { panel } from './panel.js';
import { rerun } from './runs.js';

export function undoButtons() {
  for (const button of $$('[data-history]')) button.disabled = !S[button.dataset.history].length;
}
export const letterOfTool = () => S.tool === 'wall' ? WALL : S.tool === 'terrain' ? S.letter : FLOOR;

const isWalker = lane => lane.family !== 'planner';
/** The step of each lane at which a stroke happens; null where no agent is on its way: then the map itself is changed. */
export function stepsOfStroke() {
  const onTheWay = ({ tape, ...lane }) => isWalker(lane) && tape && tape.at > 0 && !(tape.done && tape.at >= tape.steps);
  return S.lanes.some(onTheWay) ? S.lanes.map(({ tape }) => tape?.at ?? 0) : null;
}
/** Doors closed on the way belong to that walk: they go when its start or goal moves. */
export function dropEditsOnTheWay() {
  S.undo = S.undo.filter(stroke => !stroke.at);
  S.redo = S.redo.filter(stroke => !stroke.at);
  undoButtons();
}
/** The lane of this number has gone. */
export function dropLaneOfEdits(number) {
  for (const { at } of [...S.undo, ...S.redo]) at?.splice(number, 1);
}
export function editsOfRun(lane) {
  const number = S.lanes.indexOf(lane);
  if (!isWalker(lane)) return [];
  return S.undo.filter(({ at }) => at).flatMap(({ at, cells, edges, to }) => {
    const step = at[number] ?? at[0], edits = [];
    if (cells.length) edits.push({ at: step, cells, to });
    if (edges.length) edits.push({ at: step, [to === WALL ? 'cut' : 'join']: edges.map(edge => S.world.ends(edge)) });
    return edits;
  });
}

/** Lays a stroke: `before` are the old letters where the picture has been changed already. */
export async function stroke({ cells, edges = [], before = null }, to, at = null) {
  const entry = { cells, edges, to, at, t: S.t, before: before || S.world.lettersAt(cells) };
  S.undo.push(entry);
  S.redo = [];
  undoButtons();
  await apply(entry, true);
}
/** A stroke of a link: no run follows yet. */
export async function applyQuietly({ cells, edges, to, at }) {
  const { world } = S;
  cells = cells.filter(cell => world.geometry.has(cell));
  edges = edges.filter(edge => edge < world.edgeCount);
  if (!cells.length && !edges.length || !world.editable) return;
  const entry = { cells, edges, to, at, t: 0, before: world.lettersAt(cells) };
  S.undo.push(entry);
  if (!at) await change(entry, true);
}

async function apply(entry, on) {
  try {
    if (entry.at) {
      // the map itself stays as it is: the edit comes with the run, at its step
      S.world.lay(entry, false);
      ask(true, true);
      await rerun({ at: entry.t, play: on });
    } else {
      await change(entry, on);
      await rerun({ live: true });
    }
    panel(); // the legend has rows for ground and crosses that were not there before
  } catch (error) { toastError(error); }
}
/** Changes the picture and the engine's map. */
async function change(entry, on) {
  const { world } = S;
  world.lay(entry, on);
  ask(true, true);
  const answer = await call('edit', { map: world.id, edits: world.editsOf(entry, on) });
  if (answer.free !== undefined) world.free = answer.free;
  if (answer.indexes) world.indexes = answer.indexes;
}
async function turn(from, to, on) {
  const entry = S[from].pop();
  if (!entry) return;
  S[to].push(entry);
  undoButtons();
  await apply(entry, on);
}
export const undo = () => turn('undo', 'redo', false);
export const redo = () => turn('redo', 'undo', true);
