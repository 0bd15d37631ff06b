// The tools that change the map: in the bar on wide screens, floating on the map on small ones. The terrain brush paints ground of
// another weight.
import { S } from './state.js';
import { $, $$, el, icon, iconButton } from './dom.js';
import { ask } from './frame.js';
import { redo, undo, undoButtons } from './edits.js';

const TOOLS = [
  { tool: 'move', label: 'Move: drag start, goal and map', key: 'V' },
  { tool: 'wall', label: 'Paint walls', key: 'B' },
  { tool: 'erase', label: 'Erase walls', key: 'E' },
  { tool: 'terrain', label: 'Paint ground of another weight', key: 'R' },
];
const BRUSHES = [1, 3, 5, 9];

const offered = () => TOOLS.filter(({ tool }) => tool === 'move' || S.world?.editable && (tool !== 'terrain' || S.world.terrain().length));

function button({ tool, label, key }, name) {
  return el(name, { role: 'radio', 'aria-label': label, 'aria-checked': S.tool === tool, title: `${label} (${key})`, data: { tool, test: `tool-${tool}` }, onclick: () => setTool(tool) },
    icon(tool));
}

/** Builds the bar's tools for the map that is open. */
export function toolButtons() {
  if (!offered().some(({ tool }) => tool === S.tool)) S.tool = 'move';
  const terrain = S.world.terrain();
  if (!terrain.some(({ code }) => code === S.letter)) S.letter = terrain.at(-1)?.code ?? null;
  const size = el('select', { id: 'brush', 'aria-label': 'Brush size', onchange: event => { S.brush = Number(event.target.value); } },
    ...BRUSHES.map(number => el('option', { value: number, selected: number === S.brush }, number)));
  const letters = el('select', { id: 'letter', 'aria-label': 'Ground to paint', hidden: true, onchange: event => { S.letter = Number(event.target.value); } },
    ...terrain.map(({ code, text, weight }) => el('option', { value: code, selected: code === S.letter }, `${text} · weight ${weight}`)));
  $('#tools').replaceChildren(
    el('div.seg', { role: 'radiogroup', 'aria-label': 'Tool' }, ...offered().map(each => button(each, 'button'))),
    el('label.brush', { id: 'brushbox', hidden: true }, 'Brush ', size), letters,
    iconButton('undo', 'Undo (Ctrl+Z)', { id: 'undo', onclick: undo, data: { history: 'undo' } }),
    iconButton('redo', 'Redo (Ctrl+Shift+Z)', { id: 'redo', onclick: redo, data: { history: 'redo' } }));
  showTool();
  undoButtons();
}
/** The same on the map, for screens without room in the bar. */
export function floatingTools() {
  const last = S.world.editable ? [iconButton('undo', 'Undo', { onclick: undo, disabled: !S.undo.length, data: { history: 'undo' } })] : [];
  return el('div.mtools', {}, el('div', { role: 'radiogroup', 'aria-label': 'Tool' }, ...offered().map(each => button(each, 'button.btn.ic'))), ...last);
}

export function setTool(tool) {
  if (!offered().some(each => each.tool === tool)) return;
  S.tool = tool;
  showTool();
  ask(true);
}
function showTool() {
  for (const button of $$('[data-tool]')) button.setAttribute('aria-checked', button.dataset.tool === S.tool);
  $('#brushbox').hidden = S.tool === 'move' || S.world.kind !== 'grid';
  $('#letter').hidden = S.tool !== 'terrain';
  for (const map of $$('.map')) map.classList.toggle('paint', S.tool !== 'move');
}
