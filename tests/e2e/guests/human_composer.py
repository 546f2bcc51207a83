# A conversation in whose composer somebody types when the file "type" appears. C-j breaks
# the line, C-u takes the last one away.
RULE = "─" * 60
raw()
text, told, typed = "", "", False
while True:
    shown = text.replace("\n", "\r\n  ")
    out("\x1b[2J\x1b[H" + told + "\r\n" + RULE + "\r\n❯ " + shown + "\x1b7\r\n" + RULE + "\x1b8")
    while not ready(0.02):
        if not typed and os.path.exists("type"):
            typed, text = True, text + "half a thought"
            log("typed")
            break
    else:
        data = os.read(0, 4096).decode()
        log("read", data)
        if data == "\r":
            told, text = "took " + text, ""
        elif data == "\x15":
            text = text.rpartition("\n")[0]
        else:
            text += data
