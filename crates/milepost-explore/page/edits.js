// Changes to the map. A stroke is one entry of the undo list: {cells, to, before, at}. Where an agent stands in the middle of its walk
// (`at` > 0) the stroke belongs to the scene at that step and the run is done anew: the moves before it stay the same.
import { S, call } from './state.js';
import { $$, toastError } from './dom.js';
import { ask } from './frame.js';
import { FLOOR, WALL } from './grid-world.js';
import { rerun } from './runs.js';

export function undoButtons() {
  for (const button of $$('[data-history]')) button.disabled = !S[button.dataset.history].length;
}
export const letterOfTool = () => S.tool === 'wall' ? WALL : S.tool === 'terrain' ? S.letter : FLOOR;

/** The step at which a stroke happens: 0 is the map itself. Planners and comparisons begin anew with the changed map. */
export function stepOfStroke() {
  const [lane] = S.lanes, { tape } = lane;
  const walking = S.lanes.length === 1 && lane.family !== 'planner' && tape && tape.at > 0 && !(tape.done && tape.at >= tape.steps);
  return walking && S.world.kind === 'grid' ? tape.at : 0;
}
/** Doors closed on the way belong to that walk: they go when its start or goal moves. */
export function dropEditsOnTheWay() {
  S.undo = S.undo.filter(stroke => !stroke.at);
  S.redo = S.redo.filter(stroke => !stroke.at);
  undoButtons();
}
export const editsOfRun = () => S.undo.filter(stroke => stroke.at).map(({ at, cells, to }) => ({ at, cells, to }));

/** Lays a stroke: `before` are the old letters where the picture has been changed already. */
export async function stroke(cells, to, at = 0, before = null) {
  const entry = { cells, to, at, before: before || cells.map(cell => S.world.letterAt(cell)) };
  S.undo.push(entry);
  S.redo = [];
  undoButtons();
  await apply(entry, true);
}
/** A stroke of a link: no run follows yet. */
export async function applyQuietly({ cells, to, at = 0 }) {
  cells = cells.filter(cell => S.world.geometry.has(cell));
  if (!cells.length || !S.world.editable) return;
  const entry = { cells, to, at, before: S.world.kind === 'grid' ? cells.map(cell => S.world.letterAt(cell)) : null };
  S.undo.push(entry);
  if (!at) await change(entry, true);
}

async function apply(entry, on) {
  try {
    if (entry.at) {
      // the map itself stays as it is: the edit comes with the run, at its step
      S.world.set(entry.cells, k => entry.before[k]);
      ask(true, true);
      await rerun({ at: entry.at, play: on });
    } else {
      await change(entry, on);
      await rerun({ live: true });
    }
  } catch (error) { toastError(error); }
}
/** Changes the picture and the engine's map. */
async function change({ cells, to, before }, on) {
  const { world } = S;
  if (world.kind !== 'grid') {
    const shut = (to === WALL) === on;
    for (const cell of cells) shut ? world.shut.add(cell) : world.shut.delete(cell);
    world.repaint();
    ask(true, true);
    for (const { pane } of S.lanes) if (pane) pane.drawing = null;
    await call('edit', { map: world.id, [shut ? 'close' : 'open']: cells });
    return;
  }
  const letters = on ? cells.map(() => to) : before, byLetter = new Map();
  world.set(cells, k => letters[k]);
  ask(true, true);
  cells.forEach((cell, k) => {
    if (!byLetter.has(letters[k])) byLetter.set(letters[k], []);
    byLetter.get(letters[k]).push(cell);
  });
  const edits = [...byLetter].map(([letter, group]) => ({ cells: group, to: letter }));
  const answer = await call('edit', { map: world.id, edits });
  if (answer.free !== undefined) world.free = answer.free;
  if (answer.indexes) world.indexes = answer.indexes;
}
export async function undo() {
  const entry = S.undo.pop();
  if (!entry) return;
  S.redo.push(entry);
  undoButtons();
  await apply(entry, false);
}
export async function redo() {
  const entry = S.redo.pop();
  if (!entry) return;
  S.undo.push(entry);
  undoButtons();
  await apply(entry, true);
}
