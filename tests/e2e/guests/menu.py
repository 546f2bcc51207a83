# A dialog; what was chosen goes to the log.
OPTIONS = ["Keep it", "Replace it", "Delete everything"]
raw()
at = 0
while True:
    out("\x1b[2J\x1b[HWhat shall happen to the file?\r\n\r\n")
    for number, option in enumerate(OPTIONS):
        out("%s %d. %s\r\n" % ("❯" if number == at else " ", number + 1, option))
    out("\r\nEnter to confirm · Esc to cancel\x1b[%d;1H" % (at + 3))
    data = os.read(0, 64)
    log("keys", data.decode())
    for key in ("\x1b[A", "\x1b[B", "1", "2", "3", "\r"):
        if data.decode() != key:
            continue
        at = {"\x1b[A": max(at - 1, 0), "\x1b[B": min(at + 1, 2)}.get(key, at)
        if key != "\r" and not key.startswith("\x1b"):
            at = int(key) - 1
        if key in "123\r":
            log("chosen", OPTIONS[at])
            out("\x1b[2J\x1b[Hdone\r\n")
            sys.exit(at)
