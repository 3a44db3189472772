// The search and the menu of a phone. The index is a file of its own, so that pages work without a server.
document.documentElement.classList.add("script");
const query = document.getElementById("site-query");
const found = document.getElementById("site-found");
const menu = document.getElementById("site-menu");
const button = document.getElementById("site-menu-button");
const MOST = 20;

button.addEventListener("click", () => {
  button.setAttribute("aria-expanded", String(menu.classList.toggle("open")));
});

// A word in a title counts more than one in the text, a whole title most.
function rank(entry, words) {
  const title = entry.t.toLowerCase();
  const text = `${entry.p} ${entry.x}`.toLowerCase();
  let sum = title === words.join(" ") ? 50 : 0;
  for (const word of words) {
    if (title === word) sum += 20;
    else if (title.startsWith(word)) sum += 8;
    else if (title.includes(word)) sum += 5;
    else if (text.includes(word)) sum += 1;
    else return 0;
  }
  return sum;
}

function show() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.hidden = words.length === 0;
  if (found.hidden) return;
  const ranked = INDEX.map((entry) => [rank(entry, words), entry]).filter(([sum]) => sum > 0);
  ranked.sort((a, b) => b[0] - a[0]);
  const list = document.createElement("ol");
  for (const [, entry] of ranked.slice(0, MOST)) {
    const link = document.createElement("a");
    link.href = entry.u;
    link.textContent = entry.t || entry.p;
    const more = document.createElement("small");
    more.textContent = `${entry.p} — ${entry.x.slice(0, 110)}`;
    link.append(more);
    link.addEventListener("click", () => { found.hidden = true; });
    list.append(document.createElement("li"));
    list.lastChild.append(link);
  }
  found.replaceChildren(ranked.length ? list : "Nothing found.");
}

query.addEventListener("input", show);
query.form.addEventListener("submit", (event) => {
  event.preventDefault();
  found.querySelector("a")?.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== query) {
    event.preventDefault();
    query.focus();
  } else if (event.key === "Escape" && !found.hidden) {
    query.value = "";
    show();
    query.focus();
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !found.hidden) {
    const links = [...found.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
    event.preventDefault();
    (links[at] ?? query).focus();
  }
});
