import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.Revoker;

/**
 * Curator's side of a request to release a lock.
 *
 * <pre>
 * Revocation revoke SERVER NODE   asks the holder by NODE, and says "asked"
 * Revocation hold SERVER PATH     takes the mutex and says by which znode; when asked, says
 *                                 "revoked", releases it, and says "released"
 * </pre>
 *
 * It ends when standard input is closed, so that it never outlives whoever started it.
 */
public final class Revocation {
    private Revocation() {}

    public static void main(String[] args) throws Exception {
        Thread work = new Thread(() -> act(args));
        work.start();
        awaitEnd();
        System.exit(0); // in whatever state the work is
    }

    private static void act(String[] args) {
        try (CuratorFramework client = Sessions.connect(args[1])) {
            switch (args[0]) {
                case "revoke" -> revoke(client, args[2]);
                case "hold" -> hold(client, args[2]);
                default -> throw new IllegalArgumentException("no such part: " + args[0]);
            }
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    private static void revoke(CuratorFramework client, String node) throws Exception {
        Revoker.attemptRevoke(client, node);
        System.out.println("asked");
    }

    private static void hold(CuratorFramework client, String path) throws Exception {
        Recipe.Mutex mutex = new Recipe.Mutex(client, path);
        CountDownLatch asked = new CountDownLatch(1);
        mutex.makeRevocable(lock -> asked.countDown());
        mutex.acquire();
        System.out.println(mutex.node());
        asked.await();
        System.out.println("revoked");
        mutex.release(); // by the thread that acquired it, as Curator demands
        System.out.println("released");
    }

    private static void awaitEnd() throws IOException {
        while (System.in.read() >= 0) {
            // What is written to it means nothing.
        }
    }
}
