// What a step did, in words. The engine's `kinds` say how each kind of event reads; the page knows the end of a run only.
import { S } from './state.js';
import { KIND } from './tape.js';
import { asSentence, count, many, plain, tenth, unitsText } from './dom.js';

/** The order in which a sentence tells what happened: changes to the map first, the move last. */
const ORDER = [KIND.EDIT, KIND.SEE, KIND.RECORD, KIND.SUBGOAL, KIND.CLOSE, KIND.JUMP, KIND.OPEN, KIND.BETTER, KIND.HOP, KIND.LOOK, KIND.LEARN,
  KIND.REGION, KIND.TREE, KIND.PLAN, KIND.MOVE, KIND.WAIT];

function endWords(value, step, why) {
  if (value === -2) return why ? `Step ${step}: gave up: ${plain(why)}.` : `Step ${step}: gave up.`;
  if (value < 0) return `Step ${step}: there is no way to the goal.`;
  const best = S.best?.cost;
  const against = best ? `, ${value <= best * 1.0000001 ? 'which is the optimum' : `${tenth((value / best - 1) * 100)} % over the optimum`}` : '';
  return `Step ${step}: reached the goal. Cost ${tenth(value)}${against}.`;
}

export function sentence(lane) {
  if (lane?.error) return asSentence(lane.error.say);
  const tape = lane?.tape;
  if (!tape) return '';
  if (!tape.at) return 'Step 0: nothing has been done yet.';
  const step = count(tape.at), [from, to] = tape.range(tape.at - 1), number = {}, last = {};
  for (let event = from; event < to; event++) {
    const kind = tape.events[event * 4];
    number[kind] = (number[kind] || 0) + 1;
    last[kind] = event;
  }
  if (last[KIND.END] !== undefined) return endWords(tape.values[last[KIND.END] * 4 + 3], step, tape.why);
  const parts = [];
  const kinds = [...S.hello.kinds].sort((a, b) => rank(a.kind) - rank(b.kind));
  for (const { kind, say } of kinds) if (number[kind] && say) parts.push(phrase(say, tape, last[kind], number[kind]));
  const work = tape.work[tape.at - 1], unit = lane.unit || 'units of work';
  const spent = lane.bound ? `${count(work)} of ${unitsText(lane.bound, unit)}` : unitsText(work, unit);
  return `Step ${step}: ${[parts.join(', ') || 'nothing new', spent].join('; ')}.`;
}
const rank = kind => { const place = ORDER.indexOf(kind); return place < 0 ? ORDER.length : place; };

/** Fills {n}, {cell}, {from} and {value} of a kind's words; {n|one|more} chooses by the number. */
function phrase(say, tape, event, number) {
  const o = event * 4, { geometry } = tape;
  return plain(say).replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (all, name, one, more) => {
    switch (name) {
      case 'n': return one === undefined ? count(number) : many(number, one, more);
      case 'cell': return geometry.name(tape.events[o + 1]);
      case 'from': return geometry.name(tape.events[o + 2]);
      case 'value': return tenth(tape.values[o + 3]);
      default: return all;
    }
  });
}
