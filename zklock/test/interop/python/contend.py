"""Several clients of kazoo contend for one lock.

    contend.py SERVER PATH WITNESS LOCK NAME...

It says "ready" when each name has its session, starts at a line on standard input,
and ends when that is closed, so that it never outlives whoever started it. Any
failure ends it with status 1. LOCK is one of peers.LOCKS, or "readwrite" for two of them.
"""

import os
import random
import socket
import sys
import threading
import time
import traceback

import peers

MAX_PAUSE_SECONDS = 1
WRITE_EVERY = 3  # of the rounds of a read/write lock, as on the Go side
FINISH_SECONDS = 10


class Witness:
    """One client's line to the witness, who answers when it has taken note."""

    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.replies = self.socket.makefile("r")

    def tell(self, *words):
        request = " ".join(words)
        self.socket.sendall(request.encode() + b"\n")
        reply = self.replies.readline().strip()
        if reply != "ok":
            raise RuntimeError(f'the witness answers "{request}" by "{reply}"')


class Contender(threading.Thread):
    """A client that takes the lock again and again until it is told to stop."""

    def __init__(self, server, path, witness, lock, who, place):
        super().__init__(name=who, daemon=True)
        self.client = peers.connect(server)
        self.witness = Witness(witness)
        self.place = place  # those whose places differ write in different rounds
        names = ["writer", "reader"] if lock == "readwrite" else [lock]
        self.locks = [peers.new_lock(self.client, path, name) for name in names]
        self.stopping = threading.Event()

    def run(self):
        try:
            turn = self.place
            while not self.stopping.is_set():
                began = time.monotonic()
                reads = len(self.locks) > 1 and turn % WRITE_EVERY != 0
                self.hold(self.locks[reads], "read" if reads else "write")
                turn += 1
                pause(time.monotonic() - began)
        except Exception:
            fail()

    def hold(self, lock, mode):
        lock.acquire()
        node = peers.node_of(lock)
        self.witness.tell("enter", self.name, mode, node)
        self.check(node)
        self.witness.tell("leave", self.name)
        lock.release()

    def check(self, node):
        """Asks the server whether the znode is of this session. It also makes the
        hold longer."""
        stat = self.client.exists(node)
        if stat is None or stat.ephemeralOwner != self.client.client_id[0]:
            raise RuntimeError(f"{self.name} holds by {node}, which is not its own")

    def finish(self):
        """Waits until the turn under way has ended, and ends the session."""
        self.stopping.set()
        self.join(FINISH_SECONDS)
        if self.is_alive():
            raise RuntimeError(f"{self.name} does not get the lock any more")
        self.client.stop()
        self.client.close()


def pause(turn):
    """Pauses at random, as long as a turn at most, or the queue would keep its order
    for ever."""
    time.sleep(random.uniform(0, min(turn, MAX_PAUSE_SECONDS)))


def fail():
    """Ends the process at once: others would wait for a lock that is not released."""
    traceback.print_exc()
    sys.stderr.flush()
    os._exit(1)


def main(server, path, witness, lock, *names):
    contenders = [Contender(server, path, witness, lock, who, place) for place, who in enumerate(names)]
    print("ready", flush=True)
    if sys.stdin.readline():
        for contender in contenders:
            contender.start()
        sys.stdin.read()
        for contender in contenders:
            contender.stopping.set()
        for contender in contenders:
            contender.finish()


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Exception:
        fail()
