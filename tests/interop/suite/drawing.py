"""Random names, numbers and tokens in the places that a line of text leaves for them."""

import base64
import pickle
import random
import re
import string
import time
import uuid

SHORTEST_MS = 900_000
ALNUM = string.ascii_letters + string.digits
WORDS = """alpha amber anchor apple arrow autumn bakery basil beacon birch bridge cactus candle canyon cedar cherry cobalt comet
copper coral cosmos crystal daisy delta ember falcon fern forest garden ginger glacier granite harbor hazel island ivory
jasmine juniper lagoon lantern lemon lilac lotus maple meadow mint nectar nova oasis ocean olive onyx opal orchid pearl
pepper pine planet plum prairie quartz rain raven river saffron sage sapphire shadow silver spruce stone summer sunset
thunder tiger topaz tulip valley velvet violet walnut willow winter zephyr""".split()
NAMES = "anna ben carla david emma felix greta hugo ida jonas klara leon mia noah olga paul rosa sven tara uwe".split()


class Drawing:
    """Draws what templates ask for; `ttl` is that of the key that is being written, in milliseconds, or None."""

    def __init__(self, seed: int):
        self._random = random.Random(seed)
        self._makers = {name[5:]: getattr(self, name) for name in dir(self) if name.startswith("draw_")}
        self._compiled = {}
        self.ttl = None

    def remaining(self, seconds: int) -> int:
        """What is left of a time to live at some moment, in milliseconds: at least what a run takes."""
        return self._random.randint(SHORTEST_MS, max(SHORTEST_MS + 60_000, seconds * 1000))

    def text(self, template: str) -> bytes:
        return b"".join(part if isinstance(part, bytes) else part[0](*part[1]) for part in self._parts(template))

    def _parts(self, template: str) -> list:
        if template not in self._compiled:
            self._compiled[template] = [self._part(part) for part in re.split(r"(\{[a-z0-9]+(?::[^{}\"]*)?\})", template) if part]
        return self._compiled[template]

    def _part(self, part: str):
        if not re.fullmatch(r"\{[a-z0-9]+(?::[^{}\"]*)?\}", part):
            return part.encode()
        name, _, arguments = part[1:-1].partition(":")
        if name not in self._makers:
            raise ValueError(f"nothing draws {part}")
        separator = "," if name == "pick" else ":"
        return self._makers[name], arguments.split(separator) if arguments else []

    def _from(self, alphabet: str, count: int) -> bytes:
        return "".join(self._random.choices(alphabet, k=count)).encode()

    def draw_int(self, low="1", high="99999999") -> bytes:
        return b"%d" % self._random.randint(int(low), int(high))

    def draw_float(self, low, high) -> bytes:
        return b"%.4f" % self._random.uniform(float(low), float(high))

    def draw_pick(self, *words) -> bytes:
        return self._random.choice(words).encode()

    def draw_word(self) -> bytes:
        return self._random.choice(WORDS).encode()

    def draw_name(self) -> bytes:
        return self._random.choice(NAMES).encode()

    def draw_slug(self) -> bytes:
        return self.draw_word() + b"-" + self.draw_word() + b"-" + self.draw_int("1", "99999")

    def draw_host(self) -> bytes:
        return self._random.choice(("web", "app", "api", "worker")).encode() + b"-" + self.draw_int("1", "400")

    def draw_email(self) -> bytes:
        return self.draw_name() + self.draw_int("1", "99999") + b"@example.org"

    def draw_ip(self) -> bytes:
        return b".".join(self.draw_int("1", "254") for _ in range(4))

    def draw_mac(self) -> bytes:
        return b":".join(self.draw_hex("2") for _ in range(6))

    def draw_hex(self, count) -> bytes:
        return self._from("0123456789abcdef", int(count))

    def draw_an(self, count) -> bytes:
        return self._from(ALNUM, int(count))

    def draw_bytes(self, count) -> bytes:
        return self._random.randbytes(int(count))

    def draw_b64(self, count) -> bytes:
        return base64.b64encode(self._random.randbytes(int(count)))

    def draw_b64url(self, count) -> bytes:
        return base64.urlsafe_b64encode(self._random.randbytes(int(count))).rstrip(b"=")

    def draw_uuid(self) -> bytes:
        return str(uuid.UUID(bytes=self._random.randbytes(16), version=4)).encode()

    draw_uuid4 = draw_uuid

    def draw_uuid4hex(self) -> bytes:
        return self.draw_uuid().replace(b"-", b"")

    def draw_pickle(self, text) -> bytes:
        return pickle.dumps(text + self.draw_int("1", "9999").decode())

    def draw_pickletrue(self) -> bytes:
        return pickle.dumps(True)

    def draw_msgpack(self) -> bytes:
        """A map of an id and a number."""
        return b"\x82\xa2id\xce" + self.draw_bytes("4") + b"\xa1n" + self._random.randbytes(1)[:1]

    def draw_protobuf(self) -> bytes:
        """A message with a string and a number."""
        word = self.draw_word()
        return b"\x0a" + bytes([len(word)]) + word + b"\x10" + bytes([self._random.randint(0, 127)])

    def draw_javastring(self) -> bytes:
        """As Java's ObjectOutputStream writes a string."""
        text = self.draw_uuid()
        return b"\xac\xed\x00\x05t\x00" + bytes([len(text)]) + text

    def draw_uuid1hex(self) -> bytes:
        return uuid.uuid1(node=self._random.getrandbits(48)).hex.encode()

    def draw_epochms(self) -> bytes:
        return b"%d" % (time.time() * 1000 - self._random.randint(0, 10**10))

    def draw_epoch(self) -> bytes:
        return b"%d" % (time.time() - self._random.randint(0, 10**7))

    def draw_untilms(self) -> bytes:
        return b"%d" % (time.time() * 1000 + (self.ttl or 0))

    def draw_untils(self) -> bytes:
        return b"%d" % (time.time() + (self.ttl or 0) / 1000)

    def draw_iso(self) -> bytes:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - self._random.randint(0, 10**7))).encode()

    def draw_date(self) -> bytes:
        return time.strftime("%Y-%m-%d", time.gmtime(time.time() - self._random.randint(0, 10**8))).encode()
