// Curator's LeaderLatch as a lock for `playground judge`: who leads holds.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.retry.RetryOneTime;

public class Latch {
    static LeaderLatch latch; // of this turn
    static boolean held;

    static synchronized void say(String type) {
        System.out.println("{\"type\":\"" + type + "\"}");
        System.out.flush();
    }

    /** What a latch tells after it was closed is of no turn. */
    static synchronized void told(LeaderLatch by, boolean leads) {
        if (by != latch || leads == held) return;
        held = leads;
        say(leads ? "acquired" : "lost");
    }

    static synchronized boolean end() {
        boolean was = held;
        held = false;
        return was;
    }

    public static void main(String[] args) throws Exception {
        int session = Integer.parseInt(System.getenv("PLAYGROUND_SESSION_MS"));
        CuratorFramework client = CuratorFrameworkFactory.newClient(System.getenv("PLAYGROUND_SERVER"), session, session, new RetryOneTime(100));
        client.start();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) {
            if (line.contains("\"acquire\"")) {
                if (latch != null && latch.getState() == LeaderLatch.State.STARTED) continue; // it goes on by itself
                LeaderLatch next = new LeaderLatch(client, System.getenv("PLAYGROUND_LOCK"));
                next.addListener(new LeaderLatchListener() {
                    public void isLeader() { told(next, true); }
                    public void notLeader() { told(next, false); }
                });
                synchronized (Latch.class) { latch = next; }
                next.start();
            } else if (line.contains("\"release\"")) {
                boolean was = end();
                latch.close();
                if (was) say("released");
            }
        }
        client.close();
    }
}
