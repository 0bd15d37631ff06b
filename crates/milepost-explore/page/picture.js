// Pictures and films of all panes side by side, with a caption that says what is seen.
import { S, laneTitle } from './state.js';
import { count, tenth } from './dom.js';
import { palette } from './palette.js';
import { overlay } from './frame.js';
import { seek, total } from './player.js';
import { GifWriter } from './gif.js';

const CAPTION = 34, FILM_FRAMES = 72, FILM_WIDTH = 720, FRAME_CS = 8, LAST_CS = 200;

function caption(lane) {
  const { tape } = lane, summary = tape?.done && tape.at >= tape.steps ? tape.summary : null;
  return `${laneTitle(lane)} on ${S.title}` + (summary?.cost != null ? `: cost ${tenth(summary.cost)}, ${count(summary.expansions)} expansions` : tape ? `, step ${count(tape.at)}` : '');
}

/** All panes on one canvas, `shrink` times as large. */
function compose(shrink = 1, canvas = document.createElement('canvas')) {
  const panes = S.lanes.map(lane => lane.pane), scale = panes[0].scale * shrink;
  const columns = Number(document.getElementById('panes').dataset.cols) || 1, rows = Math.ceil(panes.length / columns);
  const full = [panes[0].ground.width, panes[0].ground.height], [width, height] = full.map(size => Math.round(size * shrink));
  const below = Math.round(CAPTION * scale), context = canvas.getContext('2d', { willReadFrequently: shrink !== 1 });
  if (canvas.width !== width * columns || canvas.height !== (height + below) * rows) Object.assign(canvas, { width: width * columns, height: (height + below) * rows });
  context.fillStyle = palette().css('panel');
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.font = `600 ${Math.max(9, 13 * scale)}px Inter, system-ui, sans-serif`;
  context.textBaseline = 'middle';
  S.lanes.forEach((lane, k) => {
    const x = k % columns * width, y = Math.floor(k / columns) * (height + below);
    // a pane that is wider than the first shows its middle
    for (const layer of [lane.pane.ground, lane.pane.work]) context.drawImage(layer, (layer.width - full[0]) / 2, (layer.height - full[1]) / 2, ...full, x, y, width, height);
    context.fillStyle = palette().css('ink');
    context.fillText(caption(lane), x + 12 * scale, y + height + below / 2, width - 24 * scale);
  });
  return canvas;
}

export const fileName = ending => `milepost-${S.title}-${S.lanes.map(lane => lane.name).join('-')}`.toLowerCase().replace(/[^a-z0-9.-]+/g, '-') + ending;

export const png = () => new Promise(resolve => compose().toBlob(resolve, 'image/png'));

/** The run from its start to its end in some seconds, looping. `onProgress(part)` returns false to stop. */
export async function gif(onProgress) {
  const panes = S.lanes.map(lane => lane.pane), wide = panes[0].ground.width * (Number(document.getElementById('panes').dataset.cols) || 1);
  const shrink = Math.min(1, FILM_WIDTH / wide), here = S.t, end = total(), hover = S.hover;
  const canvas = compose(shrink), writer = new GifWriter(canvas.width, canvas.height);
  const pixelsAt = part => {
    seek(end * part, true);
    for (const lane of S.lanes) {
      lane.tape?.settle();
      lane.pane.needWork = true;
      while (lane.pane.draw(palette(), overlay(lane)));
    }
    compose(shrink, canvas);
    return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  };
  S.hover = null;
  try {
    for (const part of [1, .5]) writer.sample(pixelsAt(part));
    for (let frame = 0; frame <= FILM_FRAMES; frame++) {
      writer.add(pixelsAt(frame / FILM_FRAMES), frame === FILM_FRAMES ? LAST_CS : FRAME_CS);
      if (onProgress(frame / FILM_FRAMES) === false) return null;
      await new Promise(resolve => setTimeout(resolve)); // the page stays alive between frames
    }
  } finally {
    S.hover = hover;
    seek(here, true);
  }
  return new Blob([writer.finish()], { type: 'image/gif' });
}
