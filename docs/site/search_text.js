// The search of docs/site/search.md. sections.js, which scripts/page_sections writes, has `sections`: rows of page,
// heading, address and text.
const field = document.getElementById("words"), found = document.getElementById("found");
const kShown = 40, kAround = 90;

// The text around the first word, as nodes: words are marked.
function excerpt(text, words) {
  const at = Math.max(0, Math.min(...words.map(word => text.toLowerCase().indexOf(word)).filter(place => place >= 0)));
  const part = text.slice(Math.max(0, at - kAround), at + 2 * kAround), line = document.createElement("p");
  const pattern = new RegExp("(" + words.map(word => word.replace(/[^\w\s]/g, "\\$&")).join("|") + ")", "i");
  part.split(pattern).forEach((piece, index) => {
    const node = document.createElement(index % 2 ? "mark" : "span");
    node.textContent = piece;
    line.append(node);
  });
  return line;
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = words.length ? sections.map(([page, heading, address, text]) => {
    const title = (page + " " + heading).toLowerCase(), all = title + " " + text.toLowerCase();
    if (!words.every(word => all.includes(word))) return null;
    return {page, heading, address, text, rank: words.filter(word => title.includes(word)).length};
  }).filter(Boolean).sort((one, other) => other.rank - one.rank) : [];
  document.getElementById("count").textContent = words.length ? matches.length + " sections" : "";
  found.replaceChildren(...matches.slice(0, kShown).map(match => {
    const entry = document.createElement("div"), link = document.createElement("a");
    link.href = match.address;
    link.textContent = match.page + (match.heading ? ": " + match.heading : "");
    entry.append(link, excerpt(match.text, words));
    return entry;
  }));
}

field.value = new URLSearchParams(location.search).get("words") || "";
field.addEventListener("input", show);
show();
