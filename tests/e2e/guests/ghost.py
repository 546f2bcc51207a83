# A composer with a dim suggestion, taken over by Tab alone.
RULE = "─" * 60
raw()
text, told = "", ""
while True:
    shown = text if text else "\x1b7\x1b[2mwrite a test for it\x1b[m"
    out("\x1b[2J\x1b[H" + told + "\r\n" + RULE + "\r\n❯ " + shown)
    out(("\x1b7" if text else "") + "\r\n" + RULE + "\x1b8")
    data = os.read(0, 4096).decode()
    log("read", data)
    if data == "\t":
        text = "write a test for it"
    elif data == "\r":
        log("submitted", text)
        told, text = "took " + text, ""
    else:
        text += data
