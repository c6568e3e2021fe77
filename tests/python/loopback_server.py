"""Servers on loopback that tests talk to in place of those on the internet."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit


class Exchange(BaseHTTPRequestHandler):
    """A request, and the connection on which its answer goes back."""

    protocol_version = "HTTP/1.1"
    # Head and body are two writes: the second would wait 40 ms for an acknowledgement of the first.
    disable_nagle_algorithm = True

    def handle_one_request(self) -> None:
        """A request, whose client may go away meanwhile, as a killed one does."""
        try:
            super().handle_one_request()
        except (ConnectionError, TimeoutError):
            self.close_connection = True

    def respond(self) -> None:
        self.server.respond(self)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = respond  # noqa: N815 - names of http.server

    def log_message(self, *_: object) -> None:
        """Says nothing."""

    def where(self) -> tuple[str, dict[str, list[str]]]:
        """The path and the query that are asked for, decoded."""
        url = urlsplit(self.path)
        return unquote(url.path), parse_qs(url.query, keep_blank_values=True)

    def body(self) -> bytes:
        """Reads what was sent."""
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def send(self, status: int, headers: dict[str, str], content: bytes) -> None:
        """Sends an answer; one to HEAD is without its content."""
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


class LoopbackServer(ThreadingHTTPServer):
    """Listens on a free port, from when it is made until it is closed or its `with` block ends."""

    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Exchange)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def respond(self, exchange: Exchange) -> None:
        """Reads a request and answers it."""
        raise NotImplementedError

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_port}"

    def close(self) -> None:
        """Stops listening."""
        self.shutdown()
        self.server_close()

    def __exit__(self, *_: object) -> None:
        self.close()
