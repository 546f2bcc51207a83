# Put in front of every guest: raw mode, a log of what really arrived, reads as they come.
import json, os, select, sys, termios, time

LOG = os.open("log", os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o644)
PASTE, PASTED = b"\x1b[200~", b"\x1b[201~"


def log(*what):
    os.write(LOG, (json.dumps(what) + "\n").encode())


def out(text):
    os.write(1, text.encode())


def raw():
    # Without a flush: what was typed before is read.
    mode = termios.tcgetattr(0)
    mode[0] &= ~(termios.ICRNL | termios.IXON)
    mode[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN)
    termios.tcsetattr(0, termios.TCSANOW, mode)


def ready(seconds=None):
    return bool(select.select([0], [], [], seconds)[0])


def events():
    """Each read as the guests understand it: ("paste" | "enter" | "text", text)."""
    rest = b""
    while True:
        rest += os.read(0, 65536)
        if rest.startswith(PASTE):
            if PASTED not in rest:
                continue
            text, rest = rest[len(PASTE):].split(PASTED, 1)
            yield "paste", text.decode()
        while rest and not rest.startswith(PASTE):
            if rest.startswith(b"\r"):
                rest = rest[1:]
                yield "enter", ""
                continue
            text = rest.split(b"\r")[0].split(PASTE)[0]
            rest = rest[len(text):]
            yield "text", text.decode()
