// Start, goal, agent, cursor, and the strokes that lines.js draws with. Shape, not colour, tells the three markers apart.

/** Puts a line of flat x, y pairs (world units) into the context's path. */
export function trace(pane, points) {
  const { workContext: context } = pane;
  context.beginPath();
  for (let k = 0; k + 1 < points.length; k += 2) {
    const [x, y] = pane.toScreen(points[k], points[k + 1]);
    k ? context.lineTo(x, y) : context.moveTo(x, y);
  }
}
export function stroke(context, width, colour, halo, dash) {
  context.lineJoin = context.lineCap = 'round';
  if (halo) {
    context.lineWidth = width + 3;
    context.strokeStyle = halo;
    context.globalAlpha = .85;
    context.stroke();
    context.globalAlpha = 1;
  }
  if (dash) context.setLineDash(dash);
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke();
  context.setLineDash([]);
}

export function drawMarks(pane, palette, over) {
  const { workContext: context } = pane;
  if (over.cursor) drawCursor(pane, palette, over);
  for (const kind of ['start', 'goal']) if (over[kind]) drawPlace(pane, palette, over[kind], kind, over.drag === kind);
  const { tape } = pane;
  if (!tape || !tape.moved || !tape.at) return;
  const moves = tape.moveEnd[tape.at - 1];
  if (!moves) return;
  const { geometry } = tape, agent = tape.moves[moves - 1], before = moves > 1 ? tape.moves[moves - 2] : null;
  const ax = geometry.x(agent), ay = geometry.y(agent);
  const angle = before === null ? 0 : Math.atan2(ay - geometry.y(before), ax - geometry.x(before)), [x, y] = pane.toScreen(ax, ay);
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  context.lineWidth = 2.5;
  context.fillStyle = palette.css('agent');
  context.strokeStyle = palette.css('halo');
  context.beginPath();
  context.moveTo(10, 0);
  context.lineTo(-7, 7.5);
  context.lineTo(-3.5, 0);
  context.lineTo(-7, -7.5);
  context.closePath();
  context.stroke();
  context.fill();
  context.restore();
}

function drawCursor(pane, palette, { cursor, brush }) {
  const { workContext: context, world, camera } = pane;
  context.strokeStyle = palette.css('ink');
  context.lineWidth = 1.5;
  if (world.kind === 'grid') {
    const half = (brush - 1) >> 1, [x, y] = pane.toScreen(cursor.x - .5 - half, cursor.y - .5 - half);
    context.strokeRect(x, y, Math.max(camera.z, 3) * brush, Math.max(camera.z, 3) * brush);
  } else {
    const [x, y] = pane.toScreen(cursor.x, cursor.y);
    context.beginPath();
    context.arc(x, y, 6, 0, 7);
    context.stroke();
  }
}

/** The start is a disc, the goal a pin. */
function drawPlace(pane, palette, place, kind, held) {
  const { workContext: context } = pane, [x, y] = pane.toScreen(place.x, place.y), radius = held ? 12 : 9.5;
  context.lineWidth = 2.5;
  context.strokeStyle = palette.css('halo');
  context.fillStyle = palette.css(kind);
  context.beginPath();
  if (kind === 'start') context.arc(x, y, radius, 0, 7);
  else {
    context.moveTo(x, y);
    context.bezierCurveTo(x - 3, y - 8, x - 10, y - 11, x - 10, y - 18);
    context.arc(x, y - 18, 10, Math.PI, 0);
    context.bezierCurveTo(x + 10, y - 11, x + 3, y - 8, x, y);
  }
  context.closePath();
  context.fill();
  context.stroke();
  context.fillStyle = palette.css('halo');
  context.beginPath();
  if (kind === 'start') context.arc(x, y, 3.5, 0, 7);
  else context.arc(x, y - 18, 3.8, 0, 7);
  context.fill();
}
