import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;

/**
 * Several clients of Curator contend for one lock.
 *
 * <pre>Contend SERVER PATH WITNESS RECIPE NAME...</pre>
 *
 * It says "ready" when each name has its session, starts at a line on standard input, and ends when
 * that is closed, so that it never outlives whoever started it. Any failure ends it with status 1.
 * The recipes are those of Contender.
 */
public final class Contend {
    private static final long FINISH_MILLIS = 10_000;

    private Contend() {}

    public static void main(String[] args) {
        int status = 0;
        try {
            List<Contender> contenders = connect(args);
            contend(contenders);
            for (Contender contender : contenders) {
                contender.close();
            }
        } catch (Exception e) {
            e.printStackTrace();
            status = 1;
        }
        System.exit(status); // threads that wait for the lock must not hold the process back
    }

    private static List<Contender> connect(String[] args) throws Exception {
        List<Contender> contenders = new ArrayList<>();
        for (int i = 4; i < args.length; i++) {
            contenders.add(new Contender(args[0], args[1], args[2], args[3], args[i], i));
        }
        System.out.println("ready");
        return contenders;
    }

    private static void contend(List<Contender> contenders) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        if (input.readLine() == null) {
            return;
        }
        for (Contender contender : contenders) {
            contender.start();
        }
        while (input.readLine() != null) {
            // What else is written to it means nothing.
        }
        for (Contender contender : contenders) {
            contender.finish(FINISH_MILLIS);
        }
    }
}
