# Like programs made with Ink: each read is one event. Enter submits when it comes alone; in
# one read with text it is a line break.
raw()
out("\x1b[?2004h> ")
text = ""
while True:
    data = os.read(0, 65536)
    log("read", data.decode())
    if data == b"\r":
        log("submitted", text)
        out("\r\ntook %d bytes\r\n> " % len(text.encode()))
        text = ""
    else:
        text += data.replace(PASTE, b"").replace(PASTED, b"").decode()
        out(data.replace(PASTE, b"").replace(PASTED, b"").decode().replace("\r", "\r\n"))
