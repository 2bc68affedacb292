"use strict";
// Two runs in numbers: the pinned one, the one that is shown, and their difference; of every curve that is plotted, and of their events.

// [{ of, what, before, now }] of one component of a channel
function comparedCurve(pinned, data, name, c, label) {
  const values = (run) => columnsOf(run, name)[c + 1].filter(Number.isFinite), [before, now] = [values(pinned), values(data)], { text } = shownUnit(data.channels[name].units);
  const most = (list) => list.reduce((a, b) => Math.max(a, b), -Infinity), least = (list) => list.reduce((a, b) => Math.min(a, b), Infinity), last = (list) => list[list.length - 1];
  const of = `${label ? `${name}.${label}` : name}${text ? ` [${text}]` : ""}`;
  return [["at the end", last], ["largest", most], ["smallest", least]].map(([what, f]) => ({ of, what, before: f(before), now: f(now) }));
}

// how often each event happened, and when first
function comparedEvents(pinned, data) {
  const read = (run) => (run.info.events || []).reduce((all, { name, time, count }) => all.set(name, { count: (all.get(name)?.count || 0) + count, first: all.get(name)?.first ?? time }), new Map());
  const [before, now] = [read(pinned), read(data)];
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((name) => [
    { of: `event ${name}`, what: "how often", before: before.get(name)?.count || 0, now: now.get(name)?.count || 0 },
    { of: `event ${name}`, what: "first at [s]", before: before.get(name)?.first, now: now.get(name)?.first },
  ]);
}

function comparison(pinned, data, names) {
  const both = names.filter((name) => [pinned, data].every((run) => run.channels[name]?.numbers));
  const curves = both.flatMap((name) => labelsOf(data.channels[name]).flatMap((label, c) => comparedCurve(pinned, data, name, c, label)));
  return [...curves, { of: "time [s]", what: "at the end", before: pinned.time.at(-1), now: data.time.at(-1) }, ...comparedEvents(pinned, data)];
}

// the table of the page; hidden without a pinned run
function showComparison({ pinned, data, plots }) {
  $("compared").hidden = !pinned;
  if (!pinned) return;
  const same = pinned.data === data, text = (x) => (Number.isFinite(x) ? number(x) : "–");
  $("compared-note").textContent = same ? "The next run is compared with this one." : "";
  $("compared-table").hidden = same;
  let before = "";
  $("compared-rows").replaceChildren(...(same ? [] : comparison(pinned.data, data, plots.names())).flatMap((one) => {
    const rows = one.of === before ? [] : [headRow(one.of)], row = element("tr"), cells = [one.what, text(one.before), text(one.now), text(one.now - one.before)];
    before = one.of;
    row.append(...cells.map((cell) => element("td", cell)));
    return [...rows, row];
  }));
}

// over all columns: names are long, the table is narrow
function headRow(name) {
  const row = element("tr"), head = element("th", name);
  Object.assign(head, { colSpan: 4, scope: "rowgroup" });
  row.append(head);
  return row;
}
