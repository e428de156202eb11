import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.apache.curator.framework.recipes.locks.InterProcessMultiLock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreMutex;

/**
 * Clients of Curator take each of its four locks some times.
 *
 * <pre>Visit SERVER ROUNDS NAME...</pre>
 *
 * Each name has a session of its own. It says "ready" when all have theirs, starts at a line on
 * standard input, and says "done" when all have had every lock. While one holds it asks twice for a
 * znode that there is not, HELD/LOCK/NAME, so that whoever sees its requests knows that it does. Any
 * failure ends it with status 1.
 */
public final class Visit extends Thread {
    private final CuratorFramework client;
    private final int rounds;

    private Visit(String server, int rounds, String name) throws Exception {
        super(name);
        this.client = Sessions.connect(server);
        this.rounds = rounds;
    }

    public static void main(String[] args) {
        int status = 0;
        try {
            List<Visit> visits = new ArrayList<>();
            for (int i = 2; i < args.length; i++) {
                visits.add(new Visit(args[0], Integer.parseInt(args[1]), args[i]));
            }
            System.out.println("ready");
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
            input.readLine();
            for (Visit visit : visits) {
                visit.start();
            }
            for (Visit visit : visits) {
                visit.join();
            }
            System.out.println("done");
            input.readLine();
            for (Visit visit : visits) {
                visit.client.close();
            }
        } catch (Exception e) {
            e.printStackTrace();
            status = 1;
        }
        System.exit(status);
    }

    @Override
    public void run() {
        try {
            InterProcessReadWriteLock readWrite = new InterProcessReadWriteLock(client, "/readwrite");
            InterProcessLock mutex = new InterProcessMutex(client, "/lock", new Recipe.ByNumber());
            InterProcessLock semaphore = new InterProcessSemaphoreMutex(client, "/semaphore");
            InterProcessLock multi = new InterProcessMultiLock(client, List.of("/first", "/second"));
            for (int round = 0; round < rounds; round++) {
                hold(mutex, "/lock");
                hold(semaphore, "/semaphore");
                hold(readWrite.writeLock(), "/readwrite");
                hold(readWrite.readLock(), "/readwrite-shared");
                hold(multi, "/multi");
            }
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1); // at once: the others would wait for a lock that is not released
        }
    }

    private void hold(InterProcessLock lock, String name) throws Exception {
        lock.acquire();
        try {
            for (int i = 0; i < 2; i++) {
                client.checkExists().forPath("/held" + name + "/" + getName());
            }
        } finally {
            lock.release();
        }
    }
}
