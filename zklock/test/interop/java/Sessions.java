import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;

/** Opens Curator's sessions. */
final class Sessions {
    private static final int SESSION_MILLIS = 30_000;
    private static final int CONNECT_MILLIS = 15_000;
    private static final int RETRY_MILLIS = 100;

    private Sessions() {}

    /** Returns a client with a session of its own, connected. The caller closes it. */
    static CuratorFramework connect(String server) throws InterruptedException {
        CuratorFramework client = CuratorFrameworkFactory.newClient(
                server, SESSION_MILLIS, CONNECT_MILLIS, new RetryOneTime(RETRY_MILLIS));
        client.start();
        if (!client.blockUntilConnected(CONNECT_MILLIS, TimeUnit.MILLISECONDS)) {
            client.close();
            throw new IllegalStateException("no session with " + server);
        }
        return client;
    }
}
