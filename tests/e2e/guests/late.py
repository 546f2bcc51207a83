# Reads its first line after so many seconds, with the terminal as it found it.
time.sleep(float(sys.argv[1]))
for line in sys.stdin:
    log("line", line)
    print("read", len(line), "characters", flush=True)
