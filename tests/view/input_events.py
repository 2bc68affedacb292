"""Mouse, keys and fingers of a browser: events that Chromium makes itself, as from a hand."""

CTRL, SHIFT = 2, 8
CODES = {" ": "Space", "Enter": "Enter", "Tab": "Tab", "Escape": "Escape"}
VIRTUAL = {
    "Enter": 13, "Tab": 9, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35,
    "Backspace": 8, "Delete": 46,
}  # fmt: skip


def press(browser, key, modifiers=0):
    """A key goes down and up."""
    key = key.upper() if modifiers & SHIFT and len(key) == 1 else key
    code = CODES.get(key) or (f"Key{key.upper()}" if len(key) == 1 and key.isalpha() else key)
    number = VIRTUAL.get(key) or (ord(key.upper()) if len(key) == 1 and key.isalnum() else 0)
    text = {"Enter": "\r"}.get(key, key if len(key) == 1 and not modifiers & CTRL else "")
    more = dict(key=key, code=code, modifiers=modifiers, windowsVirtualKeyCode=number)
    browser.call("Input.dispatchKeyEvent", type="keyDown", text=text, **more)
    browser.call("Input.dispatchKeyEvent", type="keyUp", **more)


def write(browser, text):
    """Letter by letter, where the cursor is."""
    for letter in text:
        press(browser, "Enter" if letter == "\n" else letter)


def centre(browser, selector):
    """The middle of the element that a selector finds."""
    return middle(browser, f"document.querySelector({selector!r})")


def middle(browser, element):
    """The middle of an element, given by JavaScript, after it was scrolled into view and what was drawn before stands
    still."""
    return browser.evaluate(f"""(async () => {{
        const one = {element}, frame = () => new Promise(requestAnimationFrame);
        let box, before;
        do {{
            before = box;
            one.scrollIntoView({{ block: "nearest" }});
            await frame(), await frame();
            box = one.getBoundingClientRect();
        }} while (!before || box.x !== before.x || box.y !== before.y);
        return [box.left + box.width / 2, box.top + box.height / 2];
    }})()""")


def mouse(browser, kind, place, buttons=0, modifiers=0, count=1):
    button = "none" if kind == "mouseMoved" and not buttons else "left"
    x, y = place
    browser.call(
        "Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=buttons, modifiers=modifiers, clickCount=count
    )  # fmt: skip


def click(browser, place):
    """A place, or a selector of the element whose middle is meant."""
    place = centre(browser, place) if isinstance(place, str) else place
    mouse(browser, "mouseMoved", place)
    mouse(browser, "mousePressed", place, 1)
    mouse(browser, "mouseReleased", place)


def drag(browser, begin, end, steps=5):
    """From a place to another with the left button held."""
    mouse(browser, "mouseMoved", begin)
    mouse(browser, "mousePressed", begin, 1)
    for k in range(1, steps + 1):
        mouse(browser, "mouseMoved", [a + (b - a) * k / steps for a, b in zip(begin, end, strict=True)], 1)
    mouse(browser, "mouseReleased", end)


def fingers(browser, kind, *places):
    """touchStart, touchMove or touchEnd with fingers at these places."""
    points = [dict(x=x, y=y, id=k) for k, (x, y) in enumerate(places)]
    browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)


def replace_text(browser, text):
    """Of the studio's editor: all is selected, the text takes its place."""
    browser.evaluate("studio.editor.view.focus()")
    press(browser, "a", CTRL)
    browser.call("Input.insertText", text=text)
