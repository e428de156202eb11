"""A client of kazoo takes a lock and holds it.

    hold.py SERVER PATH LOCK

It says by which znode it holds, releases the lock at a line on standard input, and
says "released". It ends when standard input is closed, so that it never outlives
whoever started it. LOCK is one of peers.LOCKS.
"""

import os
import sys
import threading
import traceback

import peers


def take(lock):
    """Takes the lock, on a thread that does not keep the process from ending."""
    try:
        lock.acquire()
        print(peers.node_of(lock), flush=True)
    except Exception:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)


def main(server, path, name):
    client = peers.connect(server)
    lock = peers.new_lock(client, path, name)
    threading.Thread(target=take, args=[lock], daemon=True).start()
    for _ in sys.stdin:
        lock.release()
        print("released", flush=True)
    client.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
