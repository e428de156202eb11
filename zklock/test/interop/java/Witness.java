import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.Socket;

/**
 * One client's line to the witness, who sees all holders of all libraries enter and leave. Each
 * call returns when the witness has taken note.
 */
final class Witness implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader replies;
    private final PrintWriter requests;

    /** Connects to address, which is host:port. */
    Witness(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        socket = new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        socket.setTcpNoDelay(true);
        replies = new BufferedReader(new InputStreamReader(socket.getInputStream()));
        requests = new PrintWriter(socket.getOutputStream());
    }

    void enter(String who, String mode, String node) throws IOException {
        tell("enter " + who + " " + mode + " " + node);
    }

    void leave(String who) throws IOException {
        tell("leave " + who);
    }

    private void tell(String what) throws IOException {
        requests.print(what + "\n");
        requests.flush();
        String reply = replies.readLine();
        if (!"ok".equals(reply)) {
            throw new IOException("the witness answers \"" + what + "\" by " + reply);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
