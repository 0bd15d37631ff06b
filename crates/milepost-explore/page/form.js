// The form of an algorithm's parameters, made from the registry's fields: nothing is known here by name. A change runs the scene anew
// at once, so that parameters are felt.
import { S, paramsOf } from './state.js';
import { count, el, plain } from './dom.js';

const WAIT_MS = 60, LOG_FROM = 200, LOG_MOST = 5000;

export function form(lane, onChange) {
  const params = paramsOf(lane.entry);
  if (!params.length) return null;
  let timer = 0;
  const set = (key, value) => {
    lane.params[key] = value;
    S.scene = -1;
    clearTimeout(timer);
    timer = setTimeout(onChange, WAIT_MS);
  };
  return el('form.form', { id: 'params', onsubmit: event => event.preventDefault() }, ...params.map(param => (FIELDS[param.kind] || textField)(lane, param, set)));
}

const idOf = param => `param-${param.key.replace(/\W+/g, '-')}`;
/** Some values stand without a name. */
const nameOf = param => param.name || param.key || 'Way';
/** `inf` and `none` read as words where the field is a number. */
const wordOf = value => ({ inf: 'no limit', none: 'none', auto: 'automatic' }[value] || value);
function label(param, tag = 'label') {
  const node = el(tag + '.lab', {}, nameOf(param), el('span', {}, plain(param.say)));
  if (tag === 'label') node.htmlFor = idOf(param);
  return node;
}

const FIELDS = {
  choice(lane, param, set) {
    const options = [...new Set([...param.of || [], ...param.also || []])], now = lane.params[param.key];
    if (!options.includes('') && (param.default === undefined || param.default === '' || param.default === null)) options.unshift('');
    const segments = el('div.seg.wrap', {}, ...options.map(option => el('label', {},
      el('input', { type: 'radio', name: idOf(param), value: option, checked: now === option, onchange: () => set(param.key, option), data: { test: `${idOf(param)}-${option}` } }),
      el('span', {}, option === '' ? plain(param.unset || 'default') : option))));
    return el('fieldset.field', {}, label(param, 'legend'), segments);
  },
  flag(lane, param, set) {
    const now = String(lane.params[param.key]) === 'true';
    return el('div.field', {}, el('div.row', {},
      el('input.switch', { type: 'checkbox', role: 'switch', id: idOf(param), checked: now, onchange: event => set(param.key, event.target.checked ? 'true' : '') }), label(param)));
  },
  number(lane, param, set) {
    const least = param.min ?? 0, most = param.max ?? 1e6, now = lane.params[param.key], extras = param.also || [];
    const shown = now === '' || extras.includes(now) ? fallback(param, least) : Number(now), unset = now === '' && isNaN(parseFloat(param.default));
    // a wide range is felt by its logarithm: the slider ends at a useful value, the number takes all of them
    const log = most / Math.max(1, least) > LOG_FROM, first = Math.max(least, 1), cap = log ? Math.max(first * 2, Math.min(most, LOG_MOST)) : most;
    const toValue = part => log ? Math.round(first * (cap / first) ** (part / 100)) : Number(part);
    const toPart = value => log ? Math.log(Math.max(value, first) / first) / Math.log(cap / first) * 100 : value;
    const wrong = el('p.wrong', { hidden: true, role: 'alert' });
    const number = el('input', { type: 'number', id: idOf(param), min: least, max: most, step: param.step || 'any', value: unset ? '' : shown, placeholder: plain(param.unset || ''), data: { test: idOf(param) } });
    const slider = el('input', { type: 'range', min: log ? 0 : least, max: log ? 100 : most, step: log ? .5 : param.step || 1, 'aria-label': `${nameOf(param)}, ${plain(param.say)}` });
    slider.value = toPart(shown);
    slider.oninput = () => { number.value = toValue(slider.value); wrong.hidden = true; release(); set(param.key, number.value); };
    number.oninput = () => {
      const value = Number(number.value), empty = number.value === '' && (param.default ?? '') === '', fine = empty || number.value !== '' && value >= least && value <= most;
      wrong.hidden = fine;
      wrong.textContent = `From ${count(least)} to ${count(most)}.`;
      if (fine) { slider.value = toPart(empty ? shown : value); release(); set(param.key, number.value); }
    };
    const buttons = extras.map(extra => el('button.btn.out', { type: 'button', 'aria-pressed': now === extra, data: { extra }, onclick: event => {
      const on = event.target.getAttribute('aria-pressed') !== 'true';
      release();
      event.target.setAttribute('aria-pressed', on);
      set(param.key, on ? extra : number.value);
    } }, wordOf(extra)));
    const release = () => { for (const button of buttons) button.setAttribute('aria-pressed', false); };
    return el('div.field', {}, label(param), el('div.row', {}, slider, number, ...buttons), wrong);
  },
};
const fallback = (param, least) => isNaN(parseFloat(param.default)) ? least : Number(param.default);

function textField(lane, param, set) {
  return el('div.field', {}, label(param),
    el('input', { type: 'text', id: idOf(param), value: lane.params[param.key], onchange: event => set(param.key, event.target.value.trim()) }));
}
