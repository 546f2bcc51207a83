# A shell made with prompt_toolkit.
from prompt_toolkit import PromptSession

session = PromptSession("ptk> ")
while True:
    line = session.prompt()
    log("line", line)
    print("took", len(line), flush=True)
