"use strict";
// What the studio offers to begin with: what was worked on last, templates, a file of another program, mechanisms of the gallery with their pictures.

const MOST_RECENT = 6, LONGEST_RECENT = 200000; // models; characters of one
const RECENT = "mekane recent";

// models that were opened from a file or saved, the latest first: [{ name, text, when }], kept by this browser alone
function recentModels() {
  try { return (JSON.parse(localStorage.getItem(RECENT)) || []).filter((one) => typeof one.text === "string" && typeof one.name === "string"); } catch { return []; } // private windows may refuse
}

function rememberModel(name, text) {
  if (text.length > LONGEST_RECENT) return;
  const others = recentModels().filter((one) => one.name !== name);
  try { localStorage.setItem(RECENT, JSON.stringify([{ name, text, when: Date.now() }, ...others].slice(0, MOST_RECENT))); } catch { /* as above, or full */ }
}

class Start {
  constructor(studio) {
    this.studio = studio;
    $("do-new").addEventListener("click", () => this.show());
    $("start-close").addEventListener("click", () => $("start").close());
    $("start-file").addEventListener("change", () => this.import($("start-file").files[0]));
    $("start-search").addEventListener("input", () => this.filter($("start-search").value));
    this.seen = new IntersectionObserver((list) => list.filter((one) => one.isIntersecting).forEach(({ target }) => this.draw(target)), { root: $("start") });
  }

  async show() {
    if (!$("start").open) $("start").showModal();
    const recent = recentModels();
    $("start-recent").hidden = !recent.length;
    $("start-recents").replaceChildren(...recent.map((one) => this.recentCard(one)));
    if (this.offered) return;
    try {
      this.offered = await this.studio.post("/offered");
      $("start-templates").replaceChildren(...this.offered.templates.map((one) => this.card(one, false)));
      $("start-gallery").replaceChildren(...this.offered.gallery.map((one) => this.card(one, true)));
    } catch (error) { $("start-trouble").textContent = error.message; }
  }

  card({ name, title }, drawn) {
    const card = element("button"), picture = element("span");
    card.className = "card";
    card.dataset.name = name;
    picture.className = "card-picture";
    card.append(...(drawn ? [picture] : []), element("b", name.replaceAll("_", " ")), element("span", title));
    card.addEventListener("click", () => this.open("/open", { name }));
    if (drawn) this.seen.observe(card);
    return card;
  }

  recentCard({ name, text, when }) {
    const card = element("button");
    card.className = "card";
    card.dataset.name = name;
    card.append(element("b", name), element("span", new Date(when).toLocaleString()));
    card.addEventListener("click", () => this.open("/open", { name, recent: text }));
    return card;
  }

  // its picture, once it is scrolled to
  async draw(card) {
    this.seen.unobserve(card);
    const reply = await this.studio.post("/picture", { name: card.dataset.name }).catch(() => ({}));
    if (!reply.png) return;
    const image = element("img");
    image.alt = "";
    image.src = `data:image/png;base64,${reply.png}`;
    card.firstChild.replaceChildren(image);
  }

  filter(text) {
    for (const card of $("start-gallery").children) card.hidden = !card.textContent.toLowerCase().includes(text.trim().toLowerCase());
  }

  async import(file) {
    if (file) await this.open("/import", { name: file.name, content: await file.text() });
    $("start-file").value = "";
  }

  // its text takes the place of the one that is here, which Ctrl-Z brings back
  async open(path, what) {
    $("start-trouble").textContent = "";
    try {
      const reply = await this.studio.post(path, what);
      if (reply.error) throw new Error(reply.error.text);
      $("start").close();
      this.studio.begin(reply);
    } catch (error) { $("start-trouble").textContent = error.message; }
  }
}
