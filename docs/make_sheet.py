"""Pictures of all mechanisms of the gallery as the viewer shows them, on one sheet to be looked at.

    python docs/make_sheet.py FOLDER [NAME …]          one picture each into FOLDER, by headless Chromium
    python docs/make_sheet.py --join SHEET FOLDER …    pictures of these folders side by side on one sheet

The pictures of an earlier version stay in their folder, so that a sheet shows before and after.
"""

import json
import sys
from pathlib import Path

from mekane import gallery
from mekane.view.web.saved_page import data_of, page

SIZE = (400, 300)
ACROSS = 6  # mechanisms in a row of the sheet
FRAMES, LONGEST, WHEN = 60, 4.0, 0.3  # frames; seconds of the motion that are run; share of them at which it is seen
ONLY_STAGE = """
for (const one of document.querySelectorAll("header, footer, #side, #fit")) one.style.display = "none";
Object.assign(document.getElementById("stage").style, { position: "fixed", inset: 0 });
if (page.stage.light) page.stage.light.shadows = page.stage.light.reflections = true; // without a graphics card they are left out
"""


def shots(folder: Path, names):
    """One page, into which the motions are put."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "view"))
    from browser import Browser
    from screens import window

    folder.mkdir(parents=True, exist_ok=True)
    opened = folder / "page.html"
    opened.write_text(page(data_of(gallery.find("pendulum").run(t_end=0.5))), encoding="utf-8")
    with Browser(sharpens=True) as browser:
        browser.open("about:blank", ready="true")
        window(browser, *SIZE)
        browser.open(opened.absolute().as_uri(), ready="Boolean(window.page?.data)")
        browser.evaluate(ONLY_STAGE)
        for name in names:
            shot(browser, name, folder / f"{name}.png")
            print(name, *browser.errors, flush=True)
    opened.unlink()


def shot(browser, name: str, path: Path):
    import base64

    mechanism = gallery.find(name)
    data = data_of(mechanism.run(t_end=min(mechanism.t_end, LONGEST)), most=FRAMES)
    browser.errors.clear()
    browser.evaluate(f"readied({json.dumps(data)}).then((data) => {{ page.data = null; page.take(data); }})")
    browser.evaluate(f"page.seek(page.begin + {WHEN} * (page.end - page.begin)), page.draw()")
    picture = browser.call("Page.captureScreenshot", format="png")["data"]
    path.write_bytes(base64.b64decode(picture))


def joined(sheet: Path, folders, width=300):
    """Every name once, its pictures of all folders beside each other."""
    from PIL import Image, ImageDraw

    names = [name for name in gallery.names() if any((folder / f"{name}.png").exists() for folder in folders)]
    height, wide = width * SIZE[1] // SIZE[0], width * len(folders) + 8
    rows = -(-len(names) // ACROSS)
    drawn = Image.new("RGB", (ACROSS * wide, rows * (height + 18)), "white")
    for k, name in enumerate(names):
        x, y = (k % ACROSS) * wide, (k // ACROSS) * (height + 18)
        ImageDraw.Draw(drawn).text((x + 4, y + 3), name, fill="black")
        for i, folder in enumerate(folders):
            if (folder / f"{name}.png").exists():
                picture = Image.open(folder / f"{name}.png").convert("RGB")
                drawn.paste(picture.resize((width, height), Image.Resampling.LANCZOS), (x + i * width, y + 18))
    drawn.save(sheet)


if __name__ == "__main__":
    if sys.argv[1] == "--join":
        joined(Path(sys.argv[2]), [Path(folder) for folder in sys.argv[3:]])
    else:
        shots(Path(sys.argv[1]), sys.argv[2:] or gallery.names())
