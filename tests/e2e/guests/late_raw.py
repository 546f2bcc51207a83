# Becomes a raw reader after so many seconds, and keeps what was typed before.
time.sleep(float(sys.argv[1]))
raw()
for kind, what in events():
    log(kind, what)
    out("read %d characters\r\n" % len(what))
