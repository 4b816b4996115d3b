"""A stand-in of GitHub's comments API on this machine: pages, authors, and a token that is asked for."""

import json
import re
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "token-of-a-test"  # noqa: S105 - of nothing
AUTHOR = "github-actions[bot]"


@dataclass
class Api:
    comments: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    calls: list[str] = field(default_factory=list[str])
    url: str = ""
    most: int = 65_536
    next_host: str | None = None
    """Sends readers to another server for the second page."""

    def replace(self, number: int, body: str) -> None:
        self.comments[number - 1]["body"] = body

    def add(self, body: str, author: str = AUTHOR) -> None:
        self.comments.append({"id": len(self.comments) + 1, "user": {"login": author}, "body": body})


@contextmanager
def serving(api: Api) -> Generator[Api]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(api))
    api.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield api
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _handler(api: Api) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            query = parse_qs(urlsplit(self.path).query)
            size, page = int(query["per_page"][0]), int(query.get("page", ["1"])[0])
            here, rest = api.comments[(page - 1) * size : page * size], api.comments[page * size :]
            following = f"{api.next_host or api.url}{urlsplit(self.path).path}?per_page={size}&page={page + 1}"
            self._answer(here, {"Link": f'<{following}>; rel="next"'} if rest else {})

        def do_POST(self) -> None:
            self._write(api.add)

        def do_PATCH(self) -> None:
            number = int(self.path.rpartition("/")[2])
            self._write(partial(api.replace, number))

        def _write(self, write: Callable[[str], None]) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
            if len(body) > api.most:
                self.send_error(422)
                return
            write(body)
            self._answer({})

        def _answer(self, content: Any, headers: dict[str, str] | None = None) -> None:
            api.calls.append(f"{self.command} {re.sub('[?].*', '', self.path)}")
            if self.headers["Authorization"] != f"Bearer {TOKEN}":
                self.send_error(401)
                return
            data = json.dumps(content).encode()
            self.send_response(200)
            for name, value in {**(headers or {}), "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's signature
            """Tests are silent."""

    return Handler
