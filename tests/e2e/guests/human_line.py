# A readline prompt at which somebody types when the file "type" appears.
import readline, threading


def human():
    while not os.path.exists("type"):
        time.sleep(0.01)
    readline.insert_text("rm -rf half")
    readline.redisplay()
    log("typed")


threading.Thread(target=human, daemon=True).start()
while True:
    log("line", input("human$ "))
    print("ran it", flush=True)
