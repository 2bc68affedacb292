"use strict";
// Events on the time line: a mark where each happened, with its name where there is space. Marks never overlap: events that are too close for
// that share one, which lists them. A click goes there; arrow keys go from one to the next.

const MARK = 10; // px from one mark to the next at least
const KNOB = 8; // px: half of the knob of the slider, whose middle runs from there to as far from the end
const LINES = 6; // of the text of a mark

class EventMarks {
  constructor(seek) {
    this.root = $("events");
    this.seek = seek;
    this.events = [];
    new ResizeObserver(() => this.lay()).observe($("timeline"));
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

  take(data) {
    this.events = data.info.events || [];
    [this.begin, this.end] = [data.time[0], data.time[data.time.length - 1]];
    this.root.hidden = !this.events.length;
    this.lay();
  }

  place(t) {
    const width = this.root.clientWidth - 2 * KNOB;
    return KNOB + (this.end > this.begin ? (width * (t - this.begin)) / (this.end - this.begin) : 0);
  }

  // [{x, time, name, lines, count}, …] so far apart that marks do not overlap
  grouped() {
    const groups = [];
    for (const event of this.events) {
      const x = this.place(event.time), last = groups[groups.length - 1];
      if (!last || x - last.x >= MARK) groups.push({ ...event, x, lines: [...event.lines] });
      else {
        last.count += event.count;
        last.lines.push(...event.lines);
      }
    }
    return groups;
  }

  lay() {
    if (this.root.hidden) return;
    const groups = this.grouped(), focused = [...this.root.children].indexOf(document.activeElement);
    this.root.replaceChildren(...groups.map((group) => this.mark(group)));
    groups.forEach((group, k) => {
      const name = this.root.children[k].lastChild, next = k + 1 < groups.length ? groups[k + 1].x : this.root.clientWidth;
      name.hidden = group.x + MARK / 2 + name.offsetWidth > next - MARK / 2;
    });
    this.reachable(Math.max(0, Math.min(focused, groups.length - 1)));
    if (focused >= 0) this.root.querySelector("[tabindex='0']").focus();
  }

  mark({ x, time, name, lines, count }) {
    const button = document.createElement("button"), label = document.createElement("span");
    const text = [...lines.slice(0, LINES), ...(count > LINES ? [`… and ${count - Math.min(lines.length, LINES)} more`] : [])].join("\n");
    button.className = "event";
    button.style.left = `${x}px`;
    button.title = text;
    button.setAttribute("aria-label", text);
    label.textContent = count > 1 ? `${name} +${count - 1}` : name;
    label.setAttribute("aria-hidden", "true");
    button.append(label);
    button.addEventListener("click", () => this.seek(time));
    return button;
  }

  // one mark is reached by the tab key, the others from there
  reachable(k) {
    [...this.root.children].forEach((button, i) => { button.tabIndex = i === k ? 0 : -1; });
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.code], marks = [...this.root.children];
    const k = marks.indexOf(document.activeElement) + step;
    if (!step || !marks[k]) return;
    this.reachable(k);
    marks[k].focus();
    event.preventDefault();
  }
}
