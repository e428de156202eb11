"""A lock of kazoo as a program for `playground judge -- python3 mylock.py`.

What it reads and writes: see playground/program. Put your own lock in the place of Lock.
"""
import json
import os
import sys

from kazoo.client import KazooClient, KazooState
from kazoo.recipe.lock import Lock


class CuratorsName(Lock):
    """Its znodes are named as Curator's, so that both can stand in one queue."""
    _NODE_NAME = "-lock-"
    _EXCLUDE_NAMES = ["lock-"]


def say(**message):
    print(json.dumps(message), flush=True)


zk = KazooClient(hosts=os.environ["PLAYGROUND_SERVER"],
                 timeout=int(os.environ["PLAYGROUND_SESSION_MS"]) / 1000)
held = False


def listen(state):
    """A holder that is cut off can no longer be sure: it stops at once."""
    global held
    if state != KazooState.CONNECTED and held:
        held = False
        say(type="lost", why=state)


zk.add_listener(listen)
zk.start()
lock = CuratorsName(zk, os.environ["PLAYGROUND_LOCK"])
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "acquire":
        limit = message.get("deadlineMs", 0) / 1000 or None
        try:
            if lock.is_acquired:  # what was lost may still be in the queue
                lock.release()
            held = lock.acquire(timeout=limit)
            say(type="acquired" if held else "failed")
        except Exception as error:
            say(type="failed", why=repr(error))
    elif message["type"] == "release":
        was, held = held, False
        try:
            lock.release()
        except Exception as error:
            say(type="note", text=repr(error))
        if was:
            say(type="released")
zk.stop()
