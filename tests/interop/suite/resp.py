"""As much of the Redis protocol as the suite needs: replies stay bytes, because keys and tokens may be any bytes."""

import socket


class ServerError(Exception):
    """The server answered with an error."""


class Connection:
    """One connection to a server on the loopback interface."""

    def __init__(self, port: int, timeout: float = 5.0):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout)
        self._input = self._socket.makefile("rb")

    def close(self) -> None:
        self._input.close()
        self._socket.close()

    def call(self, *words):
        """Sends one command and returns its reply: int, bytes, None or list."""
        return self.call_all([words])[0]

    def call_all(self, commands: list) -> list:
        """Sends all of them before the first reply is read."""
        self._socket.sendall(b"".join(request(words) for words in commands))
        return [self._reply() for _ in commands]

    def _reply(self):
        line = self._input.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError("the server closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"+":
            return rest
        if kind == b"-":
            raise ServerError(rest.decode("utf-8", "replace"))
        if kind == b":":
            return int(rest)
        if kind == b"$":
            return self._bulk(int(rest))
        if kind == b"*":
            return None if rest == b"-1" else [self._reply() for _ in range(int(rest))]
        raise ConnectionError(f"not a reply: {line!r}")

    def _bulk(self, size: int):
        if size < 0:
            return None
        data = self._input.read(size + 2)
        return data[:-2]


def request(words) -> bytes:
    """A command as the server reads it."""
    parts = [word if isinstance(word, bytes) else str(word).encode() for word in words]
    return b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts)


def escaped(data: bytes) -> str:
    """As lockscope::escaped(): UTF-8 stays, everything else becomes \\xNN."""
    text = data.decode("utf-8", "surrogateescape")
    out = []
    for i, c in enumerate(text):
        code = ord(c)
        if 0xDC80 <= code <= 0xDCFF:
            out.append(f"\\x{code - 0xDC00:02x}")
        elif code < 0x20 or 0x7F <= code <= 0x9F:
            out.extend(f"\\x{b:02x}" for b in c.encode())
        elif c == "\\" and text[i + 1:i + 2] == "x":
            out.append("\\x5c")
        else:
            out.append(c)
    return "".join(out)
