// Share and keep: a link, a picture, a film, a trace for other visualisers.
import { S, call } from './state.js';
import { $, bytesText, count, download, el, icon, sheet, toast, toastError } from './dom.js';
import { writeLink } from './link.js';
import { fileName, gif, png } from './picture.js';
import { play } from './player.js';

const TRACE_EVENTS = 100_000;
export const kept = { png: 0, gif: 0, trace: 0, link: '' }; // sizes of what was saved last, for tests

export function shareSheet() {
  const hash = writeLink(), address = location.origin === 'null' ? location.href.split('#')[0] + hash : location.origin + location.pathname + hash;
  kept.link = hash;
  const input = el('input', { type: 'text', id: 'link', readOnly: true, value: address, 'aria-label': 'Link to this scene', onfocus: () => input.select() });
  const own = S.mapRef.startsWith('file:');
  const note = own ? 'The link holds the scene, but not your file: it names it and asks for it.'
    : `It restores map, edits, points, ${S.lanes.length > 1 ? 'panes' : 'algorithm'}, view and time in any running explorer.`;
  sheet('dlg-share', 'Share and keep', [
    el('div.linkrow', {}, input, el('button.btn.solid', { id: 'copylink', onclick: () => copy(address, hash) }, 'Copy')), el('p.note', {}, note),
    el('h2.sub', {}, 'Save'),
    el('div.keep', {},
      choice('image', 'savepng', 'Picture', 'PNG of all panes as they are now', savePng),
      choice('film', 'savegif', 'Film', 'GIF of the whole run, looping', saveGif),
      choice('trace', 'savetrace', 'Trace', `of ${S.lanes[S.active].entry.title}, for the Posthoc visualiser (JSON)`, () => saveTrace('json')),
      choice('trace', 'saveyaml', 'Trace as YAML', 'the same, as text that reads well', () => saveTrace('yaml'))),
  ]);
}
const choice = (picture, id, title, words, onclick) =>
  el('button', { id, onclick, disabled: !S.lanes.some(lane => lane.tape) }, icon(picture), el('span', {}, el('b', {}, title), el('span', {}, words)));

async function copy(address, hash) {
  history.replaceState(null, '', hash);
  $('#dlg-share').close();
  try {
    await navigator.clipboard.writeText(address);
    toast('Link copied.', 'Opened in a running explorer it restores this scene.', { ok: true });
  } catch { toast('The address bar now holds the link.', 'Copy it from there.', { ok: true }); }
}
export async function savePng() {
  $('#dlg-share').close();
  const blob = await png();
  kept.png = blob.size;
  download(blob, fileName('.png'));
  toast('Picture saved.', `${fileName('.png')}, ${bytesText(blob.size)}`, { ok: true });
}
export async function saveGif() {
  play(false);
  const bar = el('progress', { max: 1, value: 0, 'aria-label': 'Progress of the film' }), dialog = $('#dlg-share');
  let going = true;
  if (dialog.open) dialog.querySelector('.keep').replaceChildren(el('p', {}, 'Drawing the film …'), bar);
  dialog.addEventListener('close', () => { going = false; }, { once: true });
  try {
    const blob = await gif(part => { bar.value = part; return going || !dialog.isConnected; });
    if (!blob) return;
    dialog.close();
    kept.gif = blob.size;
    download(blob, fileName('.gif'));
    toast('Film saved.', `${fileName('.gif')}, ${bytesText(blob.size)}`, { ok: true });
  } catch (error) { toastError(error); }
}
export async function saveTrace(format) {
  const lane = S.lanes[S.active];
  $('#dlg-share').close();
  try {
    const answer = await call('trace', { run: lane.run, format, events: TRACE_EVENTS });
    kept.trace = answer.trace.byteLength;
    download(new Blob([answer.trace], { type: 'text/plain' }), answer.name || fileName(`.trace.${format}`));
    toast('Trace saved.', `${answer.name}, ${bytesText(answer.trace.byteLength)}${answer.left ? `; ${count(answer.left)} events were left out` : ''}`, { ok: true });
  } catch (error) { toastError(error); }
}
