"""An editor without a window: it speaks the protocol over pipes, and believes nothing.

Any byte on the server's standard output that is no message fails the test.
"""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.processes import COMMAND

PATIENCE = 60  # seconds; a server that hangs fails, on any machine


class Client:
    """One server and what it has said; `capabilities` are those of the editor."""

    def __init__(
        self,
        root: Path,
        *arguments: str,
        command: Sequence[str] = (*COMMAND, "lsp"),
        capabilities: dict[str, Any] | None = None,
    ) -> None:
        self.process = subprocess.Popen(
            [*command, *arguments],
            cwd=root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.root = root
        self.messages: list[str] = []  # shown to the user
        self.log = b""
        self._count = 0
        self._heard: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._published: dict[str, dict[str, Any]] = {}
        self._answers: dict[int, dict[str, Any]] = {}
        self.strays: list[bytes] = []
        self._threads = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=self._read_log, daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        try:
            self.initialized = self._initialize(capabilities or {})
        except BaseException:
            self.__exit__()
            raise

    def _initialize(self, capabilities: dict[str, Any]) -> dict[str, Any]:
        editor = {"processId": None, "rootUri": self.root.as_uri(), "capabilities": capabilities}
        able: dict[str, Any] = self.ask("initialize", editor)
        self.tell("initialized", {})
        return able

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            for thread in self._threads:
                thread.join(PATIENCE)
            stream.close()

    def tell(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: Any = None) -> Any:
        """The result of a request; an error fails."""
        self._count += 1
        number = self._count
        self._send({"id": number, "method": method, "params": params})
        self._wait(lambda: number in self._answers)
        answer = self._answers.pop(number)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def open(self, name: str, text: str, language: str, uri: str | None = None) -> str:
        """Open a text that may not be saved anywhere; returns its address."""
        uri = uri or self.uri(name)
        document = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return uri

    def change(self, uri: str, version: int, *changes: dict[str, Any]) -> None:
        document = {"uri": uri, "version": version}
        self.tell(
            "textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)}
        )

    def diagnostics(self, uri: str, version: int = 1) -> list[dict[str, Any]]:
        """What is published of a version of a file."""

        def is_there() -> bool:
            return self._published.get(uri, {}).get("version") == version

        self._wait(is_there)
        found: list[dict[str, Any]] = self._published.pop(uri)["diagnostics"]
        return found

    def at(self, method: str, uri: str, line: int, character: int) -> Any:
        """Ask about a place."""
        place = {"line": line, "character": character}
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": place})

    def leave(self) -> int:
        """Shut the server down; its exit status."""
        self.ask("shutdown")
        self.tell("exit", None)
        return self.process.wait(PATIENCE)

    def _send(self, message: dict[str, Any]) -> None:
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def send_bytes(self, body: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()

    def _wait(self, is_there: Callable[[], bool]) -> None:
        while not is_there():
            message = self._heard.get(timeout=PATIENCE)
            assert message is not None, f"the server left: {self.log!r}"
            self._take(message)
        assert self.strays == []

    def _take(self, message: dict[str, Any]) -> None:
        method = message.get("method")
        if method is None:
            self._answers[message["id"]] = message
        elif "id" in message:
            self._send({"id": message["id"], "result": None})
        elif method == "textDocument/publishDiagnostics":
            self._published[message["params"]["uri"]] = message["params"]
        elif method == "window/showMessage":
            self.messages.append(message["params"]["message"])

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            name, _, value = line.partition(b":")
            if name != b"Content-Length":
                self.strays.append(line)
                continue
            while stream.readline().strip():
                pass  # further headers
            self._heard.put(json.loads(stream.read(int(value))))
        self._heard.put(None)

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        while data := self.process.stderr.readline():
            self.log += data
