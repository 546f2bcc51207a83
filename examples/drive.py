#!/usr/bin/env python3
"""Drives a Python REPL through ttydrive and follows its events; needs nothing but Python.

    ttydrive serve &
    TTYDRIVE_TOKEN=$(ttydrive token create --role agent) examples/drive.py

TTYDRIVE_URL names the service when it is not on its usual port.
"""

import json
import os
import threading
import urllib.error
import urllib.request

URL = os.environ.get("TTYDRIVE_URL", "http://127.0.0.1:7717")
TOKEN = os.environ["TTYDRIVE_TOKEN"]


def request(path, body=None, timeout=60):
    headers = {"Authorization": f"Bearer {TOKEN}"}
    data = None
    if body is not None:
        headers["Content-Type"] = "application/json"
        data = json.dumps(body).encode()
    return urllib.request.urlopen(
        urllib.request.Request(URL + path, data=data, headers=headers), timeout=timeout
    )


def tool(name, **arguments):
    """Calls a tool; an error carries a hint that says what to do next."""
    try:
        with request(f"/v1/tools/{name}", arguments) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        problem = json.load(error)
        raise SystemExit(f"{name}: {problem['detail']} ({problem.get('hint')})") from error


def events(session, seen):
    """Yields the events of a session, from the first one on; survives lost connections."""
    last = 0
    while not seen.is_set():
        with request(f"/v1/events?sessionId={session}&lastEventId={last}") as stream:
            data = ""
            for line in stream:
                line = line.decode().rstrip("\n")
                if line.startswith("data: "):
                    data += line[len("data: "):]
                elif line == "" and data:
                    event, data = json.loads(data), ""
                    last = event["id"]
                    yield event
                    if seen.is_set():
                        return


def main():
    created = tool("terminal_session_create", allowId="python3")
    session = created["sessionId"]
    print(f"started {session} in {created['cwd']}")

    wanted, done = threading.Event(), threading.Event()

    def follow():
        # One text per print: two threads print here.
        for event in events(session, done):
            print(f"event {event['id']} {event['type']} {event.get('state', '')}")
            if event["type"] == "terminal:input_needed":
                wanted.set()

    follower = threading.Thread(target=follow, daemon=True)
    follower.start()

    # Nobody has to ask: the service says when the program wants something.
    if not wanted.wait(30):
        raise SystemExit("the REPL did not come up")

    sent = tool(
        "terminal_session_send_text",
        sessionId=session,
        text="print(sum(n * n for n in range(10)))",
        submit=True,
    )
    print(f"send: {sent['outcome']}")
    waited = tool("terminal_session_wait", sessionId=session, forText="285", timeoutMs=10_000)
    print(f"wait: {waited['reason']}")
    print(tool("terminal_session_read", sessionId=session)["screen"])

    done.set()
    ended = tool("terminal_session_kill", sessionId=session)
    how = {key: ended[key] for key in ("exitCode", "signal") if key in ended}
    print(f"ended: {how}")
    follower.join(10)


if __name__ == "__main__":
    main()
