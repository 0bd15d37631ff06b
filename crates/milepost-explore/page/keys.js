// Keys of the whole page, and the sheet that lists them. Keys of the map are in pointer.js, those of the timeline in timeline.js.
import { S } from './state.js';
import { el, sheet } from './dom.js';
import { setTheme, themeNow } from './palette.js';
import { play, setSpeed, stepBy, toFirst, toLast } from './player.js';
import { activate, fit, zoomMiddle } from './panes.js';
import { setTool } from './tools.js';
import { redo, undo } from './edits.js';
import { pickAlgorithm } from './algorithms.js';
import { pickMap } from './maps.js';
import { toggleCompare } from './panel.js';
import { savePng, shareSheet } from './share.js';
import { batchSheet } from './batch.js';
import { repaintAll } from './runs.js';

export function toggleTheme() {
  setTheme(themeNow() === 'dark' ? 'light' : 'dark');
  repaintAll();
}

const ACTIONS = {
  ' ': () => play(!S.playing), '.': () => stepBy(1), ',': () => stepBy(-1), '>': () => stepBy(10), '<': () => stepBy(-10), ':': () => stepBy(10), ';': () => stepBy(-10),
  Home: toFirst, End: toLast, '[': () => setSpeed(S.speed / 1.6), ']': () => setSpeed(S.speed * 1.6),
  v: () => setTool('move'), b: () => setTool('wall'), e: () => setTool('erase'), r: () => setTool('terrain'),
  '+': () => zoomMiddle(1.5), '=': () => zoomMiddle(1.5), '-': () => zoomMiddle(1 / 1.5), 0: fit,
  a: pickAlgorithm, m: pickMap, c: toggleCompare, n: batchSheet, l: shareSheet, p: savePng, t: toggleTheme, '?': help,
  1: () => activate(0), 2: () => activate(1), 3: () => activate(2), 4: () => activate(3),
};
const LISTED = [['Space', 'run or pause'], [', .', 'one step back, one step'], ['Shift , .', 'ten steps'], ['Home End', 'to the start, to the end'], ['[ ]', 'slower, faster'],
  ['← → on the timeline', 'step; Page keys for a twentieth'], ['V B E R', 'move, paint walls, erase, paint ground'], ['Ctrl Z / Ctrl Shift Z', 'undo, redo'],
  ['+ - 0', 'zoom in, out, whole map'], ['arrows on the map', 'move the cursor; Shift by ten'], ['S G W on the map', 'start, goal, wall at the cursor'], ['Page keys on an octree', 'the level that is shown'],
  ['A', 'choose the algorithm'], ['M', 'choose the map'], ['C', 'compare, or back to one pane'], ['1 2 3 4', 'choose a pane'], ['N', 'many problems: cost against work'],
  ['L', 'link, picture, film, trace'], ['P', 'save a picture'], ['T', 'light or dark'], ['?', 'this help']];

export function help() {
  sheet('dlg-help', 'Keyboard', [
    el('div.keys', {}, ...LISTED.map(([keys, words]) => el('div', {}, el('span', {}, words), el('kbd', {}, keys)))),
    el('p.note', {}, `${S.hello.engine}. The numbers are the engine's own, step by step; nothing leaves this machine.`)]);
}

export function listenToKeys() {
  document.addEventListener('keydown', event => {
    const { key, target } = event;
    if (!S.world || event.altKey || target.closest('dialog[open], select, textarea') || target.closest('input:not([type=range], [type=checkbox])')) return;
    if (event.ctrlKey || event.metaKey) {
      const lower = key.toLowerCase();
      if (lower !== 'z' && lower !== 'y') return;
      event.preventDefault();
      lower === 'y' || event.shiftKey ? redo() : undo();
      return;
    }
    if (target.type === 'range' && key !== ' ') return;
    if (key === ' ' && target.closest('button, input[type=checkbox]')) return; // the space bar presses what has the focus
    const action = ACTIONS[key.length === 1 ? key.toLowerCase() : key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
