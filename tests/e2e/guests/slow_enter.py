# A composer that ignores Enter for so many milliseconds after a paste.
ignore = int(sys.argv[1]) / 1000
raw()
out("\x1b[?2004h> ")
text, pasted_at = "", 0.0
for kind, what in events():
    if kind == "enter" and time.monotonic() - pasted_at < ignore:
        log("ignored")
    elif kind == "enter":
        log("submitted", text)
        out("\r\ntook %d bytes\r\n> " % len(text.encode()))
        text = ""
    else:
        pasted_at = time.monotonic() if kind == "paste" else pasted_at
        text += what
        log(kind, what)
        out(what.replace("\r", "\r\n"))
