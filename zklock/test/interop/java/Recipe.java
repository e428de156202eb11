import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMultiLock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock.ReadLock;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock.WriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.framework.recipes.locks.LockInternalsDriver;
import org.apache.curator.framework.recipes.locks.StandardLockInternalsDriver;

/**
 * Curator's locks, as they are. What is added is only that a lock tells the path of the znode by
 * which it is held, which Curator shows to subclasses alone.
 */
final class Recipe {
    private Recipe() {}

    /** A lock that is acquired and released by one thread. */
    interface Lock {
        void acquire() throws Exception;

        void release() throws Exception;

        /** Returns the znode of the lock that this thread holds. */
        String node();
    }

    static final class Mutex extends InterProcessMutex implements Lock {
        Mutex(CuratorFramework client, String path) {
            super(client, path);
        }

        Mutex(CuratorFramework client, String path, LockInternalsDriver driver) {
            super(client, path, driver);
        }

        @Override
        public String node() {
            return getLockPath();
        }
    }

    /**
     * Puts a queue in order by number alone. Curator by itself compares the whole name of a znode
     * that is not called as its own are, as kazoo's, with the number of one that is.
     */
    static final class ByNumber extends StandardLockInternalsDriver {
        private static final int DIGITS = 10;

        @Override
        public String fixForSorting(String name, String lockName) {
            return name.substring(Math.max(0, name.length() - DIGITS));
        }
    }

    /** Two mutexes at once. */
    static final class Multi extends InterProcessMultiLock implements Lock {
        private final Mutex second;

        Multi(CuratorFramework client, String path) {
            this(new Mutex(client, path + "/first"), new Mutex(client, path + "/second"));
        }

        private Multi(Mutex first, Mutex second) {
            super(List.of(first, second));
            this.second = second;
        }

        @Override
        public String node() {
            return second.node();
        }
    }

    /** A semaphore whose leases are told apart by nobody but their holder. */
    static final class Semaphore implements Lock {
        private static final int PERMITS = 2;

        private final InterProcessSemaphoreV2 semaphore;
        private final String leases;
        private Lease lease;

        Semaphore(CuratorFramework client, String path) {
            semaphore = new InterProcessSemaphoreV2(client, path, PERMITS);
            leases = path + "/leases/";
        }

        @Override
        public void acquire() throws Exception {
            lease = semaphore.acquire();
        }

        @Override
        public void release() {
            semaphore.returnLease(lease);
        }

        @Override
        public String node() {
            return leases + lease.getNodeName();
        }
    }

    static final class Writer extends WriteLock implements Lock {
        Writer(CuratorFramework client, String path) {
            super(client, path, null);
        }

        @Override
        public String node() {
            return getLockPath();
        }
    }

    static final class Reader extends ReadLock implements Lock {
        Reader(CuratorFramework client, String path, Writer writer) {
            super(client, path, null, writer);
        }

        @Override
        public String node() {
            return getLockPath();
        }
    }
}
