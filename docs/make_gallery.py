"""Write the table of mechanisms into gallery.md, between its two marks.   python docs/make_gallery.py"""

from pathlib import Path

from mekane import gallery

PAGE = Path(__file__).parent / "gallery.md"
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->"


def table() -> str:
    lines = [
        "| | name | what it is | where its answers come from | run to | checks | equations |",
        "|---|---|---|---|---|---|---|",
    ]
    for m in gallery.mechanisms():
        missing = [name for name in gallery.entry.EVERY if name not in m.formulations]
        where = f"{m.source} (not in {', '.join(missing)})" if missing else m.source
        picture, page = (
            f'<img src="pictures/{m.name}.png" width="200" alt="{m.name}">',
            f"[page](equations/{m.name}.md)",
        )
        lines.append(f"| {picture} | `{m.name}` | {m.title} | {where} | {m.t_end:g} s | {len(m.checks)} | {page} |")
    return "\n".join(lines) + "\n"


def with_table(page: str) -> str:
    before, rest = page.split(BEGIN)
    return before + BEGIN + table() + END + rest.split(END)[1]


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
