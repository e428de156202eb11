// A lock of Curator as a program for `playground judge`. What it reads and writes: see
// playground/program. Put your own lock in the place of InterProcessMutex.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryOneTime;

public class MyLock {
    static final AtomicBoolean held = new AtomicBoolean();

    static synchronized void say(String type, Object why) {
        System.out.println("{\"type\":\"" + type + "\",\"why\":\"" + String.valueOf(why).replaceAll("[\"\\\\\\p{Cntrl}]", " ") + "\"}");
        System.out.flush();
    }

    public static void main(String[] args) throws Exception {
        int session = Integer.parseInt(System.getenv("PLAYGROUND_SESSION_MS"));
        CuratorFramework client = CuratorFrameworkFactory.newClient(System.getenv("PLAYGROUND_SERVER"), session, session, new RetryOneTime(100));
        client.getConnectionStateListenable().addListener((c, state) -> {
            // A holder that is cut off can no longer be sure: it stops at once.
            if (!state.isConnected() && held.compareAndSet(true, false)) say("lost", state);
        });
        client.start();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        Pattern deadline = Pattern.compile("\"deadlineMs\":(\\d+)");
        InterProcessMutex lock = new InterProcessMutex(client, System.getenv("PLAYGROUND_LOCK"));
        for (String line; (line = in.readLine()) != null; ) {
            if (line.contains("\"acquire\"")) {
                Matcher limit = deadline.matcher(line);
                long millis = limit.find() ? Long.parseLong(limit.group(1)) : Integer.MAX_VALUE;
                try {
                    // What was lost may still be in the queue.
                    if (lock.isOwnedByCurrentThread()) lock.release();
                    held.set(lock.acquire(millis, TimeUnit.MILLISECONDS));
                    say(held.get() ? "acquired" : "failed", "");
                } catch (Exception e) {
                    say("failed", e);
                }
            } else if (line.contains("\"release\"")) {
                boolean was = held.getAndSet(false);
                try {
                    lock.release();
                } catch (Exception e) {
                    say("note", e);
                }
                if (was) say("released", "");
            }
        }
        client.close();
    }
}
