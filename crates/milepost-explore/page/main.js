// The explorer's start: connects to the engine, wires the fixed controls, shows the scene of the link or the first example.
import { S, call } from './state.js';
import { $, $$, toast, toastError } from './dom.js';
import { connect } from './transport.js';
import { setTheme, storedTheme } from './palette.js';
import { Timeline } from './timeline.js';
import { ask, setTimeline, timeline } from './frame.js';
import { play, seek, setLock, setSpeed, speedOfSlider, stepBy, toFirst, toLast } from './player.js';
import { repaintAll, setScene } from './runs.js';
import { fit, layoutPanes } from './panes.js';
import { pickMap } from './maps.js';
import { toggleCompare } from './panel.js';
import { shareSheet } from './share.js';
import { batchSheet } from './batch.js';
import { help, listenToKeys, toggleTheme } from './keys.js';
import { listenToDrops, waitForFile } from './files.js';
import { readLink } from './link.js';
import { scenes } from './scenes.js';
import { showHint } from './hint.js';
import { installHooks } from './hooks.js';

setTheme(null);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { if (!storedTheme()) { setTheme(null); repaintAll(); } });
S.engine = connect(gone => toast(gone.say, gone.hint, { action: { name: 'Reload', do: () => location.reload() } }));
setTimeline(new Timeline($('#timeline'), t => { if (S.playing) play(false); S.want = 0; seek(t); }, stepBy));
installHooks();

const CLICKS = { play: () => play(!S.playing), fwd: () => stepBy(1), back: () => stepBy(-1), tofirst: toFirst, tolast: toLast, themebtn: toggleTheme, helpbtn: help,
  comparebtn: toggleCompare, sharebtn: shareSheet, batchbtn: batchSheet, mapbtn: pickMap };
for (const [id, action] of Object.entries(CLICKS)) document.getElementById(id).onclick = () => { if (S.world) action(); };
for (const button of $$('[data-lock]')) button.onclick = () => setLock(button.dataset.lock);
$('#speed').oninput = event => setSpeed(speedOfSlider(event.target.value));
listenToKeys();
listenToDrops();

/** A fit view follows the stage until the user pans or zooms. */
new ResizeObserver(() => {
  if (!S.lanes[0]?.pane) return;
  if (S.autoFit) fit();
  else layoutPanes();
  timeline.dirty = true;
  ask(true, true);
}).observe($('#panes'));

/** Shows a link's scene; one of a file waits for it, unless the command was started with that file. */
async function showLink(scene) {
  const [kind, name] = scene.map.split(':');
  S.scene = -1;
  if (kind !== 'file') { await setScene(scene); return true; }
  if (S.hello.given?.name === name) { await setScene({ ...scene, file: { given: true } }); return true; }
  waitForFile(scene, name);
  return false;
}
addEventListener('hashchange', () => { const scene = readLink(location.hash); if (scene) showLink(scene); });

try {
  S.hello = await call('hello');
  S.scenes = scenes(S.hello);
  const linked = readLink(location.hash);
  if (!linked || !await showLink(linked)) {
    if (S.hello.given) { S.scene = -1; await setScene({ map: 'given', file: { given: true }, lanes: [] }); }
    else await setScene(S.scenes[0]);
    if (linked) waitForFile(linked, linked.map.split(':')[1]);
    else showHint();
  }
  S.ready = true;
  performance.mark('ready');
} catch (error) { if (!error.gone) toastError(error); }
