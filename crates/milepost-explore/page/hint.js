// The one hint of a first visit. It goes at the first touch of the map, or by itself.
import { S } from './state.js';
import { el } from './dom.js';

const SHOWN_MS = 9000;
let node = null;

export function showHint() {
  if (node || !S.lanes[0]?.map) return;
  node = el('div.hint', { id: 'hint' }, matchMedia('(pointer: coarse)').matches ? 'Drag the two markers' : 'Drag the two markers: the search follows');
  S.lanes[0].map.append(node);
  setTimeout(hideHint, SHOWN_MS);
}
export const hideHint = () => node?.classList.add('gone');
