// One strip a lane with the work of every step (peaks are never averaged away) and its budget line; over it a slider. The chart is
// drawn anew when the tapes grow; scrubbing moves two elements of the document only.
import { count, el, unitsText } from './dom.js';

const HEIGHTS = [58, 34, 26, 22], GAP = 3;

export class Timeline {
  constructor(host, onSeek, onStep) {
    Object.assign(this, { host, onSeek, onStep, lanes: [], total: 0, position: 0, mode: 'steps', dirty: true });
    this.canvas = el('canvas');
    this.ahead = el('div.ahead');
    this.labels = el('div.labs');
    this.head = el('div.head');
    this.tip = el('div.tip', { hidden: true });
    this.axis = el('div.axis');
    host.append(this.canvas, this.ahead, this.labels, this.head, this.tip);
    host.after(this.axis);
    for (const [name, value] of Object.entries({ role: 'slider', tabindex: '0', 'aria-label': 'Timeline', 'aria-valuemin': '0', 'aria-valuenow': '0' }))
      host.setAttribute(name, value);
    host.addEventListener('pointerdown', event => { host.setPointerCapture(event.pointerId); this.held = true; onSeek(this.under(event)); });
    host.addEventListener('pointermove', event => { if (this.held) onSeek(this.under(event)); this.showTip(event); });
    for (const name of ['pointerup', 'pointercancel']) host.addEventListener(name, () => { this.held = false; });
    host.addEventListener('pointerleave', () => { this.tip.hidden = true; });
    host.addEventListener('keydown', event => this.key(event));
  }
  under(event) {
    const box = this.host.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * this.total;
  }
  key(event) {
    const page = Math.max(1, this.total / 20);
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key], leap = { PageUp: page, PageDown: -page }[event.key];
    if (by) this.onStep(by * (event.shiftKey ? 10 : 1));
    else if (leap) this.onSeek(this.position + leap);
    else if (event.key === 'Home') this.onSeek(0);
    else if (event.key === 'End') this.onSeek(this.total);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  set(lanes, total, mode) {
    Object.assign(this, { lanes, total, mode, dirty: true });
    this.host.setAttribute('aria-valuemax', Math.round(total));
  }
  move(position, words) {
    this.position = position;
    const part = this.total ? position / this.total * 100 : 0;
    this.head.style.left = this.ahead.style.left = `${part}%`;
    this.host.setAttribute('aria-valuenow', Math.round(position));
    if (words) this.host.setAttribute('aria-valuetext', words);
  }
  showTip(event) {
    if (!this.lanes.length || !this.total) return;
    const box = this.host.getBoundingClientRect(), value = this.under(event), [lane] = this.lanes;
    this.tip.hidden = false;
    this.tip.style.left = `${Math.max(60, Math.min(box.width - 60, event.clientX - box.left))}px`;
    const at = this.mode === 'work' ? `${count(value)} units` : `step ${count(value)}`, step = Math.min(lane.tape.steps - 1, Math.floor(value));
    this.tip.textContent = this.lanes.length === 1 && step >= 0 ? `${at}: ${unitsText(lane.tape.work[step], lane.unit)}` : at;
  }

  draw(css) {
    if (!this.dirty) return;
    this.dirty = false;
    const number = Math.max(1, this.lanes.length), height = HEIGHTS[number - 1], whole = number * height + (number - 1) * GAP;
    const width = this.host.clientWidth, scale = Math.min(2, devicePixelRatio || 1), context = this.canvas.getContext('2d');
    Object.assign(this.canvas, { width: width * scale, height: whole * scale });
    this.canvas.style.height = this.ahead.style.height = `${whole}px`;
    this.head.style.height = `${whole + 6}px`;
    context.scale(scale, scale);
    const labels = [];
    if (this.total) this.lanes.forEach((lane, k) => this.drawLane(context, css, lane, { top: k * (height + GAP), height, width, alone: number === 1, labels }));
    this.labels.replaceChildren(...labels);
    this.axis.replaceChildren(...[0, .25, .5, .75, 1].map((part, k) =>
      el('span', {}, k ? count(this.total * part) : this.mode === 'work' ? '0 units of work' : 'step 0')));
  }
  /** Where a lane's steps [from, to) of pixel column x lie; null past its end. */
  stepsOf(tape, x, width) {
    const from = x / width * this.total, to = (x + 1) / width * this.total;
    if (this.mode !== 'work') return from >= tape.steps ? null : [Math.floor(from), Math.max(Math.floor(from) + 1, Math.floor(to))];
    if (from >= tape.workAt(tape.steps)) return null;
    const first = tape.stepAtWork(from);
    return [first, Math.max(first + 1, tape.stepAtWork(to))];
  }
  drawLane(context, css, lane, { top, height, width, alone, labels }) {
    const { tape, bound } = lane, most = Math.max(tape.largest, bound ? bound * 1.25 : 0, 1);
    const tall = value => value / most * (height - (alone ? 17 : 6)), bottom = top + height;
    const column = (x, value, wide) => {
      const high = Math.max(1, tall(value));
      context.fillStyle = css(bound && value > bound ? 'over' : 'bar');
      context.fillRect(x, bottom - high, wide, high);
    };
    context.fillStyle = css('panel2');
    context.fillRect(0, top, width, height);
    if (this.mode !== 'work' && tape.steps < width / 2) {
      const wide = tape.steps < width / 4 ? Math.max(1, width / this.total - 1) : 1;
      for (let step = 0; step < tape.steps; step++) column(step / this.total * width, tape.work[step], wide);
    } else for (let x = 0; x < width; x++) {
      const steps = this.stepsOf(tape, x, width);
      if (!steps) break;
      column(x, tape.peak(...steps), 1);
    }
    const label = (text, kind, place) => {
      const node = el('span' + (kind ? '.' + kind : ''), {}, text);
      for (const [side, value] of Object.entries(place)) node.style[side] = `${value}px`;
      labels.push(node);
    };
    if (bound) {
      const y = Math.round(bottom - tall(bound)) - .5;
      context.strokeStyle = css('budget');
      context.setLineDash([4, 3]);
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(0, y);
      context.lineTo(width, y);
      context.stroke();
      context.setLineDash([]);
      label(`budget ${count(bound)}`, 'bud', { top: Math.max(top, y - 16), right: 6 });
    } else label(alone ? `largest step ${unitsText(tape.largest, lane.unit)}` : `largest ${count(tape.largest)}`, '', { top: top + 1, right: 6 });
    if (!alone) {
      label(lane.tag, 'lt', { top: top + 2, left: 5 });
      if (tape.done) this.drawEnd(context, css, tape, { top, height, width, label });
    }
    context.fillStyle = css('over'); // a wedge where the map was edited in the middle of the walk
    for (const step of tape.editSteps) {
      const x = (this.mode === 'work' ? tape.workAt(step) : step) / this.total * width;
      context.beginPath();
      context.moveTo(x - 5, top);
      context.lineTo(x + 5, top);
      context.lineTo(x, top + 8);
      context.fill();
    }
  }
  drawEnd(context, css, tape, { top, height, width, label }) {
    const end = this.mode === 'work' ? tape.workAt(tape.steps) : tape.steps, x = Math.min(width - 1, end / this.total * width), found = tape.done === 'found';
    context.fillStyle = css(found ? 'ok' : 'bad');
    context.fillRect(x - 1, top, 2, height);
    if (x < width - 130) label(found ? `there after ${count(end)}` : tape.done, found ? 'good' : 'bad', { top: top + height / 2 - 8, left: x + 5 });
  }
}
