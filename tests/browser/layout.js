// What is wrong with a drawn figure, in words: texts that are cut, that lie over each other, that cannot be read.
(plot) => {
  const wrong = [], texts = [];
  const ground = (at) => {
    for (; at; at = at.parentElement) {
      const rgb = getComputedStyle(at).backgroundColor.match(/[\d.]+/g);
      if (rgb.length < 4 || rgb[3] > 0.5) return rgb;
    }
    return [255, 255, 255];
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const paper = light(ground(plot));
  const edge = plot.getBoundingClientRect();

  // The corners of a text on the page, also of one that is turned.
  const corners = (node) => {
    const box = node.getBBox(), turn = node.getScreenCTM();
    const at = (x, y) => [turn.a * x + turn.c * y + turn.e, turn.b * x + turn.d * y + turn.f];
    // letters end above and below the box that a line has
    const [top, bottom] = [box.y + 0.15 * box.height, box.y + 0.85 * box.height];
    return [at(box.x, top), at(box.x + box.width, top), at(box.x + box.width, bottom), at(box.x, bottom)];
  };
  const seen = (node) => {
    for (; node !== plot; node = node.parentNode) {
      const style = getComputedStyle(node);
      if (style.display === 'none' || style.visibility === 'hidden' || +style.opacity === 0) return false;
    }
    return true;
  };
  const kinds = {
    title: '.gtitle', tick: 'g[class*="tick"] > text', axis: 'g[class^="g-x"] text, g[class^="g-y"] text',
    label: '.annotation-text', legend: '.legendtext', key: '.cbtitle text, text.cbtitle, .cbaxis text',
  };
  for (const [kind, selector] of Object.entries(kinds)) {
    for (const node of plot.querySelectorAll(selector)) {
      if (!node.textContent.trim() || !seen(node)) continue;
      const lines = [...node.querySelectorAll(':scope > tspan.line')];
      for (const line of lines.length ? lines : [node]) {
        const box = line.getBBox();
        if (box.width && box.height) texts.push({ kind, node, corners: corners(line), say: `${kind} "${line.textContent.slice(0, 40)}"` });
      }
      const contrast = [light(getComputedStyle(node).fill.match(/[\d.]+/g)), paper].sort((a, b) => b - a);
      if (contrast[0] / contrast[1] < 4.5) wrong.push(`pale: ${kind} ${(contrast[0] / contrast[1]).toFixed(2)}`);
    }
  }
  for (const text of texts) {
    const xs = text.corners.map((c) => c[0]), ys = text.corners.map((c) => c[1]);
    if (Math.min(...xs) < edge.left - 1 || Math.max(...xs) > edge.right + 1) wrong.push(`cut: ${text.say}`);
    if (Math.min(...ys) < edge.top - 1 || Math.max(...ys) > edge.bottom + 1) wrong.push(`cut: ${text.say}`);
  }
  // Two turned boxes are apart if a side of one of them has all of the other beyond it.
  const apart = (one, other) => [one, other].some((box) => [[0, 1], [1, 2]].some(([a, b]) => {
    const side = [box[b][0] - box[a][0], box[b][1] - box[a][1]], length = Math.hypot(...side) || 1;
    const range = (c) => c.map((p) => (p[0] * side[0] + p[1] * side[1]) / length);
    const [p, q] = [range(one), range(other)];
    return Math.min(Math.max(...p), Math.max(...q)) - Math.max(Math.min(...p), Math.min(...q)) < 1.5;
  }));
  texts.forEach((one, place) => {
    for (const other of texts.slice(place + 1)) {
      if (one.node !== other.node && !apart(one.corners, other.corners)) wrong.push(`over each other: ${one.say}, ${other.say}`);
    }
  });
  const panels = Object.values(plot._fullLayout._plots || {});
  for (const panel of panels) {
    if (panel.xaxis._length < 0.4 * edge.width) wrong.push(`narrow: ${panel.id} has ${Math.round(panel.xaxis._length)} pixels`);
    if (panel.yaxis._length < 20) wrong.push(`flat: ${panel.id} has ${Math.round(panel.yaxis._length)} pixels`);
  }
  return [...new Set(wrong)];
}
