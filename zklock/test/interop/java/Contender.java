import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.data.Stat;

/**
 * A client of Curator that contends for one lock, in a session and a thread of its own, until it is
 * told to stop.
 */
final class Contender extends Thread {
    /** Of the rounds of a read/write lock, one in so many is a writer's, as on the Go side. */
    private static final int WRITE_EVERY = 3;

    /** Bounds the pause between turns. */
    private static final long MAX_PAUSE_NANOS = 1_000_000_000;

    private final String who;
    private final CuratorFramework client;
    private final Witness witness;
    private final Recipe.Lock writer;
    private final Recipe.Lock reader; // null for a mutex, which has none
    private final int place;
    private volatile boolean stopping;

    /**
     * Connects; recipe is mutex, mutex-beside-kazoo, readwrite, semaphore or multi. Those whose places
     * differ write in different rounds.
     */
    Contender(String server, String path, String witness, String recipe, String who, int place) throws Exception {
        super(who);
        this.who = who;
        this.place = place;
        this.client = Sessions.connect(server);
        this.witness = new Witness(witness);
        switch (recipe) {
            case "mutex" -> {
                writer = new Recipe.Mutex(client, path);
                reader = null;
            }
            case "mutex-beside-kazoo" -> {
                writer = new Recipe.Mutex(client, path, new Recipe.ByNumber());
                reader = null;
            }
            case "semaphore" -> {
                writer = new Recipe.Semaphore(client, path);
                reader = null;
            }
            case "multi" -> {
                writer = new Recipe.Multi(client, path);
                reader = null;
            }
            case "readwrite" -> {
                Recipe.Writer write = new Recipe.Writer(client, path);
                writer = write;
                reader = new Recipe.Reader(client, path, write);
            }
            default -> throw new IllegalArgumentException("no such recipe: " + recipe);
        }
    }

    @Override
    public void run() {
        try {
            for (int round = 0; !stopping; round++) {
                boolean writes = reader == null || (round + place) % WRITE_EVERY == 0;
                long began = System.nanoTime();
                hold(writes ? writer : reader, writes ? "write" : "read");
                pause(System.nanoTime() - began);
            }
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1); // at once: the others would wait for a lock that is not released
        }
    }

    /** Pauses at random, as long as a turn at most, or the queue would keep its order for ever. */
    private static void pause(long turnNanos) throws InterruptedException {
        long bound = Math.min(turnNanos, MAX_PAUSE_NANOS);
        TimeUnit.NANOSECONDS.sleep(ThreadLocalRandom.current().nextLong(bound + 1));
    }

    private void hold(Recipe.Lock lock, String mode) throws Exception {
        lock.acquire();
        try {
            witness.enter(who, mode, lock.node());
            check(lock.node());
            witness.leave(who);
        } finally {
            lock.release();
        }
    }

    /** Asks the server whether the lock's znode is of this session. It also makes the hold longer. */
    private void check(String node) throws Exception {
        Stat stat = client.checkExists().forPath(node);
        long session = client.getZookeeperClient().getZooKeeper().getSessionId();
        if (stat == null || stat.getEphemeralOwner() != session) {
            throw new IllegalStateException(who + " holds by " + node + ", which is not its own");
        }
    }

    /** Waits until the round under way has ended. */
    void finish(long timeoutMillis) throws InterruptedException {
        stopping = true;
        join(timeoutMillis);
        if (isAlive()) {
            throw new IllegalStateException(who + " does not get the lock any more");
        }
    }

    /** Ends the session. */
    void close() throws IOException {
        witness.close();
        client.close();
    }
}
