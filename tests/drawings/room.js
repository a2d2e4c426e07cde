// In a page with SVG drawings: every text has its place, in the fonts that the browser has. Writes what is wrong into the
// page's body, a line each.
function boxOf(element) {
  const { x, y, width, height } = element.getBBox();
  return { left: x, top: y, right: x + width, bottom: y + height };
}

function overlap(a, b, slack) {
  return a.left + slack < b.right && b.left + slack < a.right && a.top + slack < b.bottom && b.top + slack < a.bottom;
}

function isInside(inner, outer, slack) {
  return inner.left >= outer.left - slack && inner.right <= outer.right + slack && inner.top >= outer.top - slack &&
    inner.bottom <= outer.bottom + slack;
}

function area(box) {
  return (box.right - box.left) * (box.bottom - box.top);
}

function problemsOf(svg) {
  const name = svg.getAttribute("data-name");
  const page = { left: 0, top: 0, right: svg.width.baseVal.value, bottom: svg.height.baseVal.value };
  // Cells of grids, grids, and the boxes of diagrams have an edge.
  const frames = [...svg.querySelectorAll(".edge")].map(boxOf);
  const texts = [...svg.querySelectorAll("text")].map((element) => ({ text: element.textContent, box: boxOf(element) }));
  const problems = [];
  if (texts.length === 0) problems.push(`${name}: there is no text`);
  texts.forEach(({ text, box }, i) => {
    if (!isInside(box, page, 0)) problems.push(`${name}: "${text}" leaves the page`);
    texts.slice(0, i).forEach((other) => {
      if (overlap(box, other.box, 1.5)) problems.push(`${name}: "${text}" lies on "${other.text}"`);
    });
    const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
    const around = frames.filter((f) => f.left < middle.x && middle.x < f.right && f.top < middle.y && middle.y < f.bottom)
      .sort((a, b) => area(a) - area(b));
    if (around.length > 0 && !isInside(box, around[0], 1)) problems.push(`${name}: "${text}" does not fit its cell`);
    if (around.length === 0 && frames.some((f) => overlap(box, f, 1))) problems.push(`${name}: "${text}" runs into a cell or a box`);
  });
  return problems;
}

const found = [...document.querySelectorAll("svg")].flatMap(problemsOf);
document.body.innerHTML = "";
document.body.textContent = ["checked", ...found].join("\n");
