# Never reads; "raw" or "cooked".
if sys.argv[1] == "raw":
    raw()
out("here\r\n")
while True:
    time.sleep(600)
