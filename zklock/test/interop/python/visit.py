"""Clients of kazoo take a lock some times.

    visit.py SERVER PATH ROUNDS NAME...

Each name has a session of its own. It says "ready" when all have theirs, starts at a
line on standard input, and says "done" when all have had the lock. While one holds it
asks twice for a znode that there is not, /held/PATH/NAME, so that whoever sees its
requests knows that it does. Any failure ends it with status 1.
"""

import os
import sys
import threading
import traceback

import peers


def visit(client, path, rounds, name):
    """Takes the lock so often; a failure ends the process, or others would wait for it."""
    try:
        lock = peers.new_lock(client, path, "mutex-by-hand")
        for _ in range(rounds):
            lock.acquire()
            for _ in range(2):
                client.exists(f"/held{path}/{name}")
            lock.release()
    except Exception:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)


def main(server, path, rounds, *names):
    clients = [peers.connect(server) for _ in names]
    print("ready", flush=True)
    if not sys.stdin.readline():
        return
    visits = [threading.Thread(target=visit, args=(client, path, int(rounds), name), daemon=True)
              for client, name in zip(clients, names)]
    for thread in visits:
        thread.start()
    for thread in visits:
        thread.join()
    print("done", flush=True)
    sys.stdin.readline()
    for client in clients:
        client.stop()
        client.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
