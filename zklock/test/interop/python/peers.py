"""What the programs here share: sessions of kazoo, and its locks by name."""

from kazoo.client import KazooClient
from kazoo.recipe.lock import Lock, ReadLock, Semaphore, WriteLock

SESSION_SECONDS = 30
CONNECT_SECONDS = 15

# By name, kazoo's locks as they have to be told of the znodes of the Go and Java
# libraries, and as they are by themselves. Before kazoo 2.9 a ReadLock waits for writers
# that came after it, too, while they wait for it.
LOCKS = {
    "mutex": (Lock, ["-lock-"]),
    "mutex-by-hand": (Lock, ["lock-"]),
    "writer": (WriteLock, ["__READ__", "__WRIT__"]),
    "reader": (ReadLock, ["__WRIT__"]),
    "untold-mutex": (Lock, []),
    "untold-reader": (ReadLock, []),
}


def connect(server):
    """Returns a client with a session of its own, which the caller stops."""
    client = KazooClient(hosts=server, timeout=SESSION_SECONDS)
    client.start(timeout=CONNECT_SECONDS)
    return client


def new_lock(client, path, name):
    if name == "semaphore":
        return Semaphore(client, path, max_leases=3)
    lock, patterns = LOCKS[name]
    return lock(client, path, extra_lock_patterns=patterns)


def node_of(lock):
    """Returns the path of the znode by which the lock is held."""
    if isinstance(lock, Semaphore):
        return lock.create_path
    return lock.path + "/" + lock.node
