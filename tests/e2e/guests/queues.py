# A conversation that is busy, says nothing of it, and keeps what is submitted for later.
RULE = "─" * 60
raw()
text, kept = "", []


def draw():
    out("\x1b[2J\x1b[H" + RULE + "\r\n❯ " + text + "\x1b7\r\n" + RULE)
    for message in kept:
        out("\r\n  queued: " + message)
    out("\x1b8")


draw()
for kind, what in events():
    if kind == "enter" and text:
        log("submitted", text)
        kept, text = kept + [text], ""
    elif kind != "enter":
        text += what
    draw()
