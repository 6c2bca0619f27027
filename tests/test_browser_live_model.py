"""The live model in a real browser: fetched, kept, and what is said where a part does not come right."""

import contextlib
import gzip
import http.server
import json
import os
import queue
import shutil
import subprocess
import threading
from collections import Counter
from urllib.parse import unquote

import pytest

from helpers import pretrained
from tests.lanes import at_night
from tools import needs, real_browser
from tools.patience import PATIENCE
from tools.shell import ROOT
from tools.web.live import pack, small

pytestmark = [pytest.mark.needs("browser", "model"), pytest.mark.slow]
LIVE = ROOT / "docs" / "_static" / "live"
FIRST = ["manifest.json", *(f"{name}.bin.gz" for name in pack.FIRST)]

SCRIPT = """async () => {
    const { client } = await import('/live/client.js');
    window.live = client({ base: '/model/' });
    window.seen = [];
    window.opened = () => live.open((one) => seen.push(one))
        .then(({ kind, bytes, kept, nearest: { sentences } }) => ({ kind, bytes, kept, sentences }))
        .catch(({ reason, message }) => ({ reason, message }));
    window.saw = async () => {
        const { ids, tokens } = await live.encode('I saw a saw');
        const { xs, n } = await live.pass(ids, { off: [2] });
        const { Q } = await live.head(ids, 0, 2);
        const effect = Array.from(await live.each(ids, [2, 4]));
        return { tokens, n, rows: xs.length, queries: Q.length, effect };
    };
}"""


class Server:
    """A site with the scripts and the packed model, whose parts can be spoilt.

    Attributes:
        asked: how often each of the model's files was asked for.
        spoilt: what is done to a file's bytes, by its name; `None` gives 404.
        encoded: whether files are said to be packed, as some servers do.
        held: until it is set, only the first half of a file in `slow` is sent.
        slow: names of such files.
        no_worker: the worker's script is missing.
        page: a script that the page runs by itself.
        reports: what such a script sends to `/report`.
    """

    def __init__(self, folder):
        self.folder = folder
        self.fresh()

    def fresh(self):
        self.asked, self.spoilt, self.slow = Counter(), {}, set()
        self.encoded, self.held, self.no_worker = False, threading.Event(), False
        self.page, self.reports = "", queue.Queue()

    def answer(self, handler):
        name = handler.path.split("?")[0].rpartition("/")[2]
        if name == "report":
            self.reports.put(json.loads(unquote(handler.path.partition("?")[2])))
            return self.send(handler, b"", "text/plain")
        if not handler.path.startswith("/model/"):
            if name == "worker.js" and self.no_worker:
                return self.send(handler, None, "")
            return self.send(handler, *self.script(name))
        self.asked[name] += 1
        data = (self.folder / name).read_bytes()
        data = self.spoilt.get(name, lambda whole: whole)(data)
        return self.send(handler, data, "application/gzip", name)

    def script(self, name):
        if not name:
            start = "<!doctype html><title>A page</title><link rel=icon href=data:,>"
            return f"{start}<script type=module>{self.page}</script>".encode(), "text/html"
        return (LIVE / name).read_bytes(), "text/javascript"

    def send(self, handler, data, kind, name=""):
        handler.send_response(404 if data is None else 200)
        handler.send_header("Content-Type", kind)
        if self.encoded and name.endswith(".gz"):
            handler.send_header("Content-Encoding", "gzip")
        handler.end_headers()
        if data:
            half = len(data) // 2
            handler.wfile.write(data[:half])
            if name in self.slow:
                handler.wfile.flush()
                self.held.wait()
            handler.wfile.write(data[half:])


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("live")
    pack.write(pretrained.load(), folder)
    return Server(folder)


@pytest.fixture(scope="module")
def address(server):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the page called it off
                server.answer(self)

        def log_message(self, *_):
            pass

    with real_browser.serving(Handler) as one:
        yield one


@pytest.fixture
def visit(chromium, server, address):
    server.fresh()
    with real_browser.Visit(chromium) as one:
        one.page.goto(address)
        yield one
        server.held.set()
        assert one.outside == []


def opened(page, before=""):
    """What `open` comes to, after some script has taken from the browser what it is to do without."""
    page.evaluate(f"async () => {{ {before} }}")
    page.evaluate(SCRIPT)
    return page.evaluate("() => opened()")


def right(page):
    """Whether the model says of "I saw a saw" what it should."""
    found = page.evaluate("() => saw()")
    effect = found["effect"]
    assert (found["n"], found["rows"], found["queries"]) == (6, 7, 6 * 32)
    return effect.index(max(effect)) == 2 and max(effect) == pytest.approx(0.06, abs=0.005)


IN_PAGE = "delete window.Worker;"


where = pytest.mark.parametrize("before", ["", at_night(IN_PAGE)], ids=["worker", "page"])


@where
def test_it_is_fetched_once_and_then_works_without_a_connection(server, visit, before):
    page = visit.page
    manifest = json.loads((server.folder / "manifest.json").read_text("utf-8"))
    total = sum(manifest["parts"][name]["packed"] for name in manifest["first"])
    assert opened(page, before) == {
        "kind": "simd",
        "bytes": total,
        "kept": True,
        "sentences": list(small.SENTENCES),
    }
    assert right(page)
    seen = page.evaluate("() => seen")
    assert {one["total"] for one in seen} == {total}
    done = [one["done"] for one in seen]
    assert done == sorted(done)
    assert done[-1] == total
    assert len(set(done)) > 5
    assert server.asked == dict.fromkeys(FIRST, 1)
    assert (len(page.workers) == 1) == (not before)

    page.reload()
    server.asked.clear()
    assert opened(page, before)["kept"]
    assert right(page)
    assert server.asked == {"manifest.json": 1}

    page.reload()
    page.context.route("**/model/**", lambda route: route.abort())
    assert opened(page, before)["kept"]
    assert right(page)
    visit.errors.clear()


@pytest.mark.nightly
def test_a_rare_word_brings_its_part_and_no_other(server, visit):
    page = visit.page
    opened(page)
    script = "async () => { const { ids } = await live.encode('veranda'); await live.pass(ids); return ids; }"
    assert max(page.evaluate(script)) >= 10_000
    page.evaluate(script)
    parts = [name for name in server.asked if name not in FIRST]
    assert len(parts) == 1
    assert server.asked[parts[0]] == 1


def cut(data):
    return data[: len(data) // 2]


def wrong(data):
    half = len(data) // 2
    return data[:half] + bytes([data[half] ^ 1]) + data[half + 1 :]


def forged(data):
    """As a part of another model would be: gzip has nothing to object."""
    whole = gzip.decompress(data)
    return gzip.compress(whole[:-1] + bytes([whole[-1] ^ 1]), 1)


@where
@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        at_night(cut, "network"),
        at_night(lambda data: None, "network"),
        (wrong, "checksum"),
        at_night(forged, "checksum"),
    ],
    ids=["cut", "gone", "wrong", "forged"],
)
def test_a_part_that_is_not_right_is_refused_and_fetched_again(server, visit, before, spoil, reason):
    page = visit.page
    server.spoilt["body.bin.gz"] = spoil
    found = opened(page, before)
    assert found["reason"] == reason
    assert 4 <= len(found["message"].split()) <= 30
    server.spoilt.clear()
    assert page.evaluate("() => opened()")["kind"] == "simd"
    assert right(page)
    assert server.asked["pieces.bin.gz"] == 1  # it had come
    assert server.asked["body.bin.gz"] == 2


@pytest.mark.nightly
def test_a_rare_word_that_does_not_come_leaves_the_others(server, visit):
    page = visit.page
    opened(page)
    server.spoilt.update({f"words-{i}.bin.gz": cut for i in range(1, 21)})
    script = """async () => {
        const { ids } = await live.encode('veranda');
        return live.pass(ids).then(() => 'came', ({ reason }) => reason);
    }"""
    assert page.evaluate(script) == "network"
    assert right(page)
    server.spoilt.clear()
    assert page.evaluate(script) == "came"


@pytest.mark.nightly
def test_a_part_that_was_kept_and_is_damaged_is_fetched_again(server, visit):
    page = visit.page
    opened(page)
    page.evaluate("""async () => {
        const [name] = await caches.keys();
        const cache = await caches.open(name);
        for (const one of await cache.keys())
            if (one.url.includes('body')) await cache.put(one, new Response('rubbish'));
    }""")
    page.reload()
    server.asked.clear()
    assert opened(page)["kept"]
    assert right(page)
    assert server.asked == {"manifest.json": 1, "body.bin.gz": 1}


@pytest.mark.nightly
def test_only_one_model_is_kept(server, visit):
    page = visit.page
    opened(page)
    server.spoilt["manifest.json"] = lambda data: data + b"\n"  # another build of the site
    page.reload()
    assert opened(page)["kept"]
    names = page.evaluate("() => caches.keys()")
    assert len(names) == 1
    assert names[0].startswith("live-model-")


@pytest.mark.nightly
def test_a_full_cache_is_no_hindrance(server, visit, address):
    page = visit.page
    devtools = page.context.new_cdp_session(page)
    devtools.send("Storage.overrideQuotaForOrigin", {"origin": address, "quotaSize": 1_000_000})
    found = opened(page)
    assert (found["kind"], found["kept"]) == ("simd", False)
    assert right(page)


WITHOUT = {
    "cache": ("delete window.caches;", {"kind": "simd", "kept": False}),
    "https": (
        "Object.defineProperty(crypto, 'subtle', { value: undefined });",
        {"kind": "simd", "kept": False},
    ),
    "simd": ("WebAssembly.validate = () => false;", {"kind": "plain", "kept": True}),
    "webassembly": ("delete window.WebAssembly;", {"kind": "plain", "kept": True}),
    "unpacking": ("delete window.DecompressionStream;", {"reason": "unsupported"}),
    "memory": (
        "WebAssembly.Memory = class { constructor() { throw new RangeError('no room') } };",
        {"reason": "memory"},
    ),
}


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param(*one, id=name, marks=() if name in {"webassembly", "unpacking"} else pytest.mark.nightly)
        for name, one in WITHOUT.items()
    ],
)
def test_a_browser_that_lacks_something(visit, script, expected):
    found = opened(visit.page, IN_PAGE + script)
    assert {name: found[name] for name in expected} == expected
    assert "reason" in found or right(visit.page)


@pytest.mark.nightly
def test_without_https_gzips_own_checksum_is_asked(server, visit):
    server.spoilt["body.bin.gz"] = wrong
    found = opened(visit.page, IN_PAGE + WITHOUT["https"][0])
    assert found["reason"] == "checksum"


@pytest.mark.nightly
def test_where_the_worker_does_not_start_the_page_computes(server, visit):
    server.no_worker = True
    assert opened(visit.page)["kind"] == "simd"
    assert right(visit.page)
    assert visit.page.workers == []


@pytest.mark.nightly
def test_a_server_that_unpacks_parts_by_itself(server, visit):
    server.encoded = True
    assert opened(visit.page)["kind"] == "simd"
    assert right(visit.page)


@pytest.mark.nightly
def test_a_site_without_the_model_says_so(server, visit):
    server.spoilt["manifest.json"] = lambda data: None
    found = opened(visit.page)
    assert found == {"reason": "unsupported", "message": "This copy of the site was built without the model."}


@pytest.mark.nightly
def test_a_download_can_be_called_off_and_begun_again(server, visit):
    page = visit.page
    server.slow.add("body.bin.gz")
    page.evaluate(SCRIPT)
    page.evaluate("() => { window.coming = opened() }")
    page.wait_for_function("() => seen.some((one) => one.done > 2e6)")
    page.evaluate("() => live.cancel()")
    assert page.evaluate("() => coming")["reason"] == "cancelled"
    server.held.set()
    assert page.evaluate("() => opened()")["kind"] == "simd"
    assert right(page)


@pytest.mark.nightly
@where
def test_72_heads_can_be_called_off(visit, before):
    page = visit.page
    opened(page, before)
    found = page.evaluate("""async () => {
        const { ids } = await live.encode('one two three four five six seven eight nine ten '.repeat(5));
        const waiting = live.each(ids, [1, 2]).then(() => 'done', ({ reason }) => reason);
        await live.cancel();
        return waiting;
    }""")
    assert found == "cancelled"
    assert right(page)


@pytest.mark.nightly
def test_a_worker_that_dies_is_replaced(server, visit):
    page = visit.page
    opened(page)
    server.slow.update(f"words-{i}.bin.gz" for i in range(1, 21))
    page.evaluate("""async () => {
        const { ids } = await live.encode('veranda');
        window.waiting = live.pass(ids).then(() => 'came', ({ reason }) => reason);
    }""")
    (worker,) = page.workers
    worker.evaluate("() => { setTimeout(() => { throw new Error('out of memory') }) }")
    assert page.evaluate("() => waiting") == "memory"
    visit.errors.clear()
    assert right(page)
    assert page.workers[-1] != worker


@pytest.mark.nightly
def test_plain_javascript_may_be_asked_for(visit):
    visit.page.evaluate(SCRIPT.replace("base: '/model/'", "base: '/model/', plain: true"))
    assert visit.page.evaluate("() => opened()")["kind"] == "plain"
    assert right(visit.page)


@pytest.mark.nightly
@pytest.mark.needs("firefox")
def test_in_firefox(server, address, tmp_path):
    server.fresh()
    server.page = f"""
        await ({SCRIPT})();
        const found = await opened();
        if (!found.reason) found.effect = (await saw()).effect;
        await fetch('/report?' + encodeURIComponent(JSON.stringify(found)));
    """
    program = next(filter(None, map(shutil.which, needs.FIREFOXES)))
    words = [program, "--headless", "--no-remote", "--profile", tmp_path, address]
    with subprocess.Popen(
        words, env={**os.environ, "HOME": str(tmp_path)}, stderr=subprocess.DEVNULL
    ) as firefox:
        try:
            found = server.reports.get(timeout=PATIENCE)
        finally:
            firefox.terminate()
    assert (found["kind"], found["kept"]) == ("simd", True)
    assert found["effect"].index(max(found["effect"])) == 2
