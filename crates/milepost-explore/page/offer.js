// What stands in a pane that could not run: the reason in words, and where an index is missing the offer to build it.
import { S, call } from './state.js';
import { asSentence, bytesText, count, el, plain, secondsText, tell, toastError } from './dom.js';
import { rerun } from './runs.js';
import { panel } from './panel.js';
import { pickAlgorithm } from './algorithms.js';

export function showOffer(lane) {
  lane.offer?.remove();
  lane.offer = null;
  if (!lane.error) return;
  lane.offer = lane.error.needs?.length ? indexOffer(lane, lane.error.needs) : refusalCard(lane);
  // the map below pans and paints: none of it through the card
  for (const name of ['pointerdown', 'wheel', 'dblclick', 'keydown']) lane.offer.addEventListener(name, event => event.stopPropagation());
  lane.map.append(lane.offer);
}
function refusalCard({ error }) {
  return el('div.offer.bad', { role: 'group', 'aria-label': 'Why it was not run', data: { test: 'refused' } },
    el('b', {}, asSentence(error.say) || 'This could not be run.'), el('p', {}, asSentence(error.hint)),
    el('div.row', {}, el('button.btn.out', { onclick: pickAlgorithm }, 'Choose another')));
}
function indexOffer(lane, needs) {
  const note = el('p', {}, 'Working out how large it will be …'), name = needs.join(', ');
  const build = el('button.btn.solid', { id: 'buildindex', data: { test: 'build-index' } }, needs.length > 1 ? 'Build them' : 'Build it');
  const row = el('div.row', {}, build, el('button.btn.out', { onclick: pickAlgorithm }, 'Choose another'));
  const about = S.hello.indexes?.find(index => index.name === needs[0].split(':')[0]);
  const card = el('div.offer', { role: 'group', 'aria-label': `An index is needed: ${name}` },
    el('b', {}, `${lane.entry.title} reads an index: ${name}`), about ? el('p', {}, plain(about.line)) : null, note, row);
  estimate(needs).then(text => { note.textContent = text; }).catch(error => { note.textContent = plain(`${error.say} ${error.hint || ''}`); });
  build.onclick = () => buildIndexes(needs, card, row);
  return card;
}
async function estimate(needs) {
  let bytes = 0, seconds = 0;
  for (const index of needs) {
    const answer = await call('index', { map: S.world.id, index, estimate: true });
    bytes += answer.bytes || 0;
    seconds += answer.seconds || 0;
  }
  return `About ${bytesText(bytes)}, ${secondsText(seconds)}. It is kept while this page is open.`;
}
async function buildIndexes(needs, card, row) {
  const bar = el('progress', { max: 1, value: 0, 'aria-label': 'Progress of the build', data: { test: 'index-progress' } }), words = el('p', { role: 'status' }, 'Building …'), { world } = S;
  row.replaceWith(bar, words);
  try {
    for (const index of needs) {
      const answer = await call('index', { map: world.id, index }, { progress: ({ what, done, total }) => {
        if (total) bar.value = done / total;
        else bar.removeAttribute('value');
        words.textContent = `${plain(what || index)}${total ? `: ${count(done)} of ${count(total)}` : ''}`;
      } });
      world.indexes = answer.indexes || [...world.indexes, index];
    }
    if (world !== S.world) return;
    tell(`The index is built: ${needs.join(', ')}.`);
    await rerun({ play: true });
    panel();
  } catch (error) {
    card.remove();
    toastError(error);
  }
}
