"""Pages in a headless Chromium, spoken to by its DevTools protocol: just what the tests of pages need."""

import json
import time
from contextlib import ExitStack

from chromium import CHROMIUM, DEADLINE, chromium  # noqa: F401  (tests ask whether it is here)


class Browser:
    """A tab. Use it in a with statement. `open` a page; `evaluate` it for the value of a JavaScript expression; `errors`
    of its console. What pages of other tabs had stored is gone."""

    def __init__(self, behind=False, sharpens=False):
        """behind: it is not looked at; all others stay in front. sharpens: pictures that stand still are drawn once more,
        with finer pixels, as for every reader; it is half of what a page costs here."""
        self.behind, self.sharpens = behind, sharpens

    def __enter__(self):
        self.chromium, self.stack = chromium(), ExitStack()
        self.socket, self.number, self.errors, self.origins = None, 0, [], set()
        return self

    def __exit__(self, *_):
        self.stack.close()
        self.chromium.left |= self.origins

    @property
    def process(self):
        return self.chromium.process

    def open(self, address, ready="window.page !== undefined", offline=True):
        """A page; without a network unless it is given one."""
        if self.socket is None:
            self.connect()
        self.call(
            "Network.emulateNetworkConditions", offline=offline, latency=0, downloadThroughput=-1, uploadThroughput=-1
        )
        self.evaluate("window.page = window.studio = undefined")  # those of a page that has not gone yet
        self.call("Page.navigate", url=address)
        self.wait(ready)
        self.remain_coarse()
        self.origins.add(self.evaluate("location.protocol === 'file:' ? 'file://' : location.origin"))

    def connect(self):
        """One socket for all pages: what is emulated by one would go on beside another."""
        from websockets.sync.client import connect

        tab, address = self.chromium.new_tab(self.behind)
        self.stack.callback(self.chromium.close_tab, tab)
        patience = {"ping_interval": None, "open_timeout": DEADLINE, "close_timeout": 1}
        self.socket = self.stack.enter_context(connect(address, max_size=None, **patience))
        for domain in ("Runtime", "Network", "Log", "Page"):
            self.call(f"{domain}.enable")
        while self.chromium.left:
            self.call("Storage.clearDataForOrigin", origin=self.chromium.left.pop(), storageTypes="all")

    def remain_coarse(self):
        if not self.sharpens:
            self.evaluate("window.page?.stage && Object.defineProperty(page.stage, 'refines', { value: false }), null")

    def less_motion(self, on=True):
        """What a reader can wish: nothing begins to move by itself. To draw what moves takes a whole processor here."""
        if self.socket is None:
            self.connect()
        feature = {"name": "prefers-reduced-motion", "value": "reduce" if on else ""}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    def reload(self):
        self.evaluate("window.page = undefined")
        self.call("Page.reload")
        self.wait("window.page !== undefined")
        self.remain_coarse()

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            reply = json.loads(self.socket.recv(timeout=DEADLINE))
            if reply.get("method") == "Page.javascriptDialogOpening":  # a page with unsaved text is left all the same
                self.socket.send('{"id": 0, "method": "Page.handleJavaScriptDialog", "params": {"accept": true}}')
            if reply.get("method") == "Runtime.exceptionThrown":
                self.errors.append(
                    reply["params"]["exceptionDetails"].get("exception", {}).get("description", "exception")
                )
            if reply.get("method") == "Runtime.consoleAPICalled" and reply["params"]["type"] == "error":
                self.errors.append(str(reply["params"]["args"]))
            if reply.get("method") == "Log.entryAdded" and reply["params"]["entry"]["level"] == "error":
                self.errors.append(reply["params"]["entry"]["text"])
            if reply.get("id") == self.number:
                return reply.get("result", reply)

    def evaluate(self, expression):
        """Its value; of a promise what it comes to. It is held meanwhile: one that nobody holds may be collected before
        it is kept."""
        found = self.answer("Runtime.evaluate", expression=expression)
        if "objectId" not in found:
            return found.get("value")
        object_id = found["objectId"]
        if found.get("subtype") == "promise":
            value = self.answer("Runtime.awaitPromise", promiseObjectId=object_id, returnByValue=True)
        else:
            value = self.answer(
                "Runtime.callFunctionOn",
                objectId=object_id,
                functionDeclaration="function () { return this; }",
                returnByValue=True,
            )
        self.call("Runtime.releaseObject", objectId=object_id)
        return value.get("value")

    def answer(self, method, **parameters):
        reply = self.call(method, **parameters)
        if "result" not in reply:
            raise RuntimeError(f"{method} {str(parameters)[:200]}: {reply}")
        return reply["result"]

    def wait(self, expression, patience=DEADLINE):
        """Until it is true. While one page gives way to another there is none to ask."""
        begun = time.monotonic()
        while not self.evaluate_between_pages(expression):
            if time.monotonic() - begun > patience:
                raise TimeoutError(f"{expression} did not come true; the page complains: {self.errors}")
            time.sleep(0.05)

    def evaluate_between_pages(self, expression):
        try:
            return self.evaluate(expression)
        except RuntimeError as error:
            if any(
                phrase in str(error)
                for phrase in ("navigated or closed", "context was destroyed", "Cannot find context")
            ):
                return None
            raise

    def pixels(self):
        """A fingerprint of what the canvas shows."""
        return self.evaluate("document.getElementById('canvas').toDataURL()")
