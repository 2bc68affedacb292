"use strict";
// Where in a model's text one is: section, part, keys and lists around it. The text may be unfinished, so it is read by its indents and brackets alone.

// text without strings and comments, which are blanked out so that places stay
function bare(text) {
  return text.replace(/"(?:[^"\\\n]|\\.)*"?|'(?:[^'\n]|'')*'?|(^|\s)#[^\n]*/g, (found) => found.replace(/[^\n\s]/g, "_"));
}

// keys around a place by indents: [[indent, key, index of the colon]]
function blockKeys(text, at) {
  const keys = [];
  let begin = 0;
  for (const row of text.slice(0, at).split("\n")) {
    const found = /^( *)((?:"[^"]*"|'[^']*'|[^\s{}[\]#:,"'][^{}[\]#:]*?))\s*:(?=\s|$)/.exec(row);
    const indent = /^ */.exec(row)[0].length;
    if (row.trim() || begin + row.length >= at) while (keys.length && keys[keys.length - 1].indent >= indent) keys.pop();
    if (found) keys.push({ indent: found[1].length, key: found[2].replace(/^["']|["']$/g, ""), colon: begin + found[0].length });
    begin += row.length + 1;
  }
  return keys;
}

// keys and brackets around a place within braces, from `from` on: [{ open, key, keys, value }]
function flowKeys(text, from, at) {
  const whole = text.slice(from, at), plain = bare(whole), stack = [];
  let word = 0;
  for (let k = 0; k < plain.length; k++) {
    const c = plain[k], top = stack[stack.length - 1];
    if (c === "{" || c === "[") { stack.push({ open: c, key: "", keys: [], count: 0 }); word = k + 1; }
    else if (c === "}" || c === "]") stack.pop();
    else if (c === "," && top) { top.key = ""; top.count++; word = k + 1; }
    else if (c === ":" && top && top.open === "{" && /\s|^$/.test(plain[k + 1] || " ")) {
      top.key = whole.slice(word, k).trim().replace(/^["']|["']$/g, "");
      top.keys.push(top.key);
      word = k + 1;
    }
  }
  return stack;
}

// { path: keys around it, the last one's value is there; key: whether a key is expected; siblings: keys beside it }
function placeIn(text, at) {
  const blocks = blockKeys(text, at), last = blocks[blocks.length - 1], path = blocks.map((one) => one.key);
  const stack = last ? flowKeys(text, last.colon, at) : [];
  const row = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  if (!stack.length) {
    const typing = /^\s*["']?[^:{}[\]]*$/.test(row); // before any colon
    const indent = /^ */.exec(row)[0].length, around = blocks.filter((one) => one.indent < indent || !typing);
    return { path: around.map((one) => one.key), key: typing, siblings: siblingsOf(text, at, indent), list: false };
  }
  for (const one of stack) if (one.key) path.push(one.key);
  const top = stack[stack.length - 1], map = stack.findLast((one) => one.open === "{") || { keys: [] };
  return { path, key: top.open === "{" && !top.key, siblings: [...map.keys, ...(top === map ? keysAfter(text, at) : [])], list: top.open === "[", depth: stack.filter((one) => one.open === "[").length };
}

// keys that follow in the same braces
function keysAfter(text, at) {
  const rest = bare(text.slice(at, at + 2000)), keys = [];
  let depth = 0;
  for (let k = 0, word = 0; k < rest.length && depth >= 0; k++) {
    if ("{[".includes(rest[k])) depth++;
    if ("}]".includes(rest[k])) depth--;
    if (!depth && rest[k] === ",") word = k + 1;
    if (!depth && rest[k] === ":" && /\s/.test(rest[k + 1] || " ")) keys.push(text.slice(at + word, at + k).trim());
  }
  return keys;
}

// keys of the same indent in the block around
function siblingsOf(text, at, indent) {
  const rows = text.split("\n"), here = text.slice(0, at).split("\n").length - 1, found = [[], [], []];
  for (const step of [-1, 0, 1]) {
    for (let k = here + step; k >= 0 && k < rows.length; k += step || rows.length) {
      if (!rows[k].trim()) continue;
      const own = /^ */.exec(rows[k])[0].length, key = /^\s*["']?([^"':]+)["']?\s*:/.exec(rows[k]);
      if (own < indent) break;
      if (own === indent && key) found[step + 1].push(key[1]);
    }
  }
  return [...found[0].reverse(), ...found[1], ...found[2]];
}

// names of the parts of a section, in the order of the text
function namesIn(text, section) {
  const begin = new RegExp(`^${section}\\s*:`, "m").exec(text);
  if (!begin) return [];
  const rest = text.slice(begin.index + begin[0].length), end = /\n[^\s#]/.exec(rest), part = end ? rest.slice(0, end.index + 1) : rest;
  if (part.trim().startsWith("{")) { // all on one line: { k: 1, l: 2 }
    let depth = 0;
    return [...bare(part).matchAll(/[{}[\]]|([\w ]+)\s*:(?=\s)/g)].filter((one) => { depth += "{[".includes(one[0]) - "}]".includes(one[0]); return one[1] && depth === 1; })
      .map((one) => part.slice(one.index, one.index + one[1].length).trim());
  }
  const rows = [...part.matchAll(/^( +)("[^"\n]+"|'[^'\n]+'|[^\s#"'{[][^:\n]*?)\s*:(?=\s|$)/gm)], least = Math.min(...rows.map((one) => one[1].length));
  return rows.filter((one) => one[1].length === least).map((one) => one[2].replace(/^["']|["']$/g, ""));
}
