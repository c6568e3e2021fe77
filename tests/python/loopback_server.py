"""Servers on loopback that replace internet services in tests."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit


class Exchange(BaseHTTPRequestHandler):
    """A request, and the connection for its response."""

    protocol_version = "HTTP/1.1"
    # headers and body are two writes: with Nagle's algorithm, the second would wait 40 ms for an acknowledgment
    disable_nagle_algorithm = True

    def handle_one_request(self) -> None:
        """Handles a request; the client can disappear, for example when it is killed."""
        try:
            super().handle_one_request()
        except (ConnectionError, TimeoutError):
            self.close_connection = True

    def respond(self) -> None:
        self.server.respond(self)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = respond  # noqa: N815 - names of http.server

    def log_message(self, *_: object) -> None:
        """Logs nothing."""

    def path_and_query(self) -> tuple[str, dict[str, list[str]]]:
        """Returns the decoded path and query."""
        url = urlsplit(self.path)
        return unquote(url.path), parse_qs(url.query, keep_blank_values=True)

    def body(self) -> bytes:
        """Reads the body of the request."""
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def send(self, status: int, headers: dict[str, str], content: bytes) -> None:
        """Sends a response; without content for HEAD."""
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


class LoopbackServer(ThreadingHTTPServer):
    """Listens on a free port until `close`, or the end of its `with` block."""

    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Exchange)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def respond(self, exchange: Exchange) -> None:
        """Reads a request and responds."""
        raise NotImplementedError

    @property
    def url(self) -> str:
        """Returns the address."""
        return f"http://127.0.0.1:{self.server_port}"

    def close(self) -> None:
        """Closes the server."""
        self.shutdown()
        self.server_close()

    def __exit__(self, *_: object) -> None:
        self.close()
