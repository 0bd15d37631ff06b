// Small helpers for the document: elements, icons, messages to people, sheets, numbers in words.

export const $ = selector => document.querySelector(selector);
export const $$ = selector => document.querySelectorAll(selector);

/** el('button.btn.ic', {id: 'x', onclick}, ...children): properties that are functions or known to the element are set, others become attributes. */
export function el(name, props = {}, ...children) {
  const [tag, ...classes] = name.split('.'), node = document.createElement(tag);
  if (classes.length) node.className = classes.join(' ');
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined) continue;
    if (key === 'data') Object.assign(node.dataset, value);
    else if (key.startsWith('aria-') || key === 'role' || key === 'for') node.setAttribute(key, value);
    else node[key] = value;
  }
  node.append(...children.filter(child => child !== null && child !== undefined));
  return node;
}

const SVG = 'http://www.w3.org/2000/svg';
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}
export const icon = name => svg('svg', { class: 'i', 'aria-hidden': 'true' }, svg('use', { href: '#i-' + name }));
export const iconButton = (name, label, props = {}) => el('button.btn.ic', { 'aria-label': label, title: label, ...props }, icon(name));

const whole = new Intl.NumberFormat('en');
export const count = value => whole.format(Math.round(value));
/** One digit after the point, where there is one. */
export const tenth = value => whole.format(Math.round(value * 10) / 10);
export const many = (number, one, more) => `${count(number)} ${number === 1 ? one : more}`;
export function bytesText(bytes) {
  if (bytes < 1000) return `${count(bytes)} B`;
  if (bytes < 1e6) return `${tenth(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${tenth(bytes / 1e6)} MB` : `${tenth(bytes / 1e9)} GB`;
}
export function secondsText(seconds) {
  if (seconds < 1) return 'under a second';
  return seconds < 90 ? many(Math.round(seconds), 'second', 'seconds') : many(Math.round(seconds / 60), 'minute', 'minutes');
}
/** An amount of work: the engine's unit, in the singular where it is one. */
export const unitsText = (number, unit) => `${count(number)} ${Math.round(number) === 1 ? plain(unit).replace(/^units\b/, 'unit') : plain(unit)}`;
/** Texts of the registry mark code with backticks; the page shows plain words. */
export const plain = text => (text || '').replace(/`/g, '');

export const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** For screen readers: one polite region, spoken on pause and on step only. */
export const tell = text => { $('#live').textContent = text; };

/** Hints of the engine are clauses; here they stand alone. */
export const asSentence = text => plain(text).replace(/^[a-z](?![^ ]*\.)/, letter => letter.toUpperCase()).replace(/([\p{L}\d])$/u, '$1.');

export const errors = []; // what went wrong in words, for tests
let toastTimer = 0;
/** A message with what to do; `ok` ones leave by themselves. */
export function toast(say, hint, { ok = false, action } = {}) {
  [say, hint] = [asSentence(say), asSentence(hint)];
  if (!ok) errors.push(hint ? `${say} ${hint}` : say);
  const box = $('#toast'), close = iconButton('close', 'Dismiss', { onclick: hush });
  close.classList.add('close');
  box.className = ok ? 'ok' : '';
  box.replaceChildren(el('b', {}, say || 'Something went wrong.'), ...(hint ? [el('span', {}, hint)] : []));
  if (action) box.append(el('div.act', {}, el('button.btn.solid', { id: 'toastact', onclick: action.do }, action.name)));
  box.append(close);
  box.hidden = false;
  clearTimeout(toastTimer);
  if (ok) toastTimer = setTimeout(hush, 4000);
}
export const hush = () => { $('#toast').hidden = true; };
export const toastError = error => toast(error.say || `The page failed: ${error.message}`, error.hint ?? 'Reload the page.');

/** Fills and opens a native dialog: focus goes in, stays, and returns. */
export function sheet(id, title, body, extra) {
  const dialog = $('#' + id), close = iconButton('close', 'Close', { onclick: () => dialog.close() });
  dialog.replaceChildren(
    el('div.shead', {}, el('h2', { id: id + '-h' }, title), extra, close),
    el('div.sbody', {}, ...body));
  dialog.onclick = event => { if (event.target === dialog) dialog.close(); };
  if (!dialog.open) dialog.showModal();
  return dialog;
}

export function download(blob, name) {
  const link = el('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 5000);
}
