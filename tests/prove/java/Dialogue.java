import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;

/** What every Java adapter shares: it reads words, has the named thread do them, and prints the answers. docs/adapters.md tells the protocol. */
final class Dialogue {
    static final long LEASE_MS = Long.parseLong(setting("LEASE_MS", "3000"));
    static final long WAIT_MS = Long.parseLong(setting("WAIT_MS", "1000"));
    static final String HOST = setting("HOST", "127.0.0.1");
    static final int PORT = Integer.parseInt(setting("PORT", "6379"));
    static final List<String> URLS = List.of(setting("URLS", setting("URL", "redis://127.0.0.1:6379/0")).split(","));
    static final String PROCESS = setting("PROCESS", "A");
    private static final Map<String, String> OPTIONS = new HashMap<>();

    static {
        for (String word : setting("ADAPTER_OPTIONS", "").trim().split(" +")) {
            OPTIONS.put(word.replaceAll("=.*", ""), word.replaceAll("^[^=]*=?", ""));
        }
    }

    /** What a library does with the lock object of one thread and key. False, or an exception that notHeld() knows, is the answer no. */
    abstract static class Adapter<L> {
        abstract List<String> words();

        abstract L newLock(String key);

        abstract boolean acquire(L lock, boolean reads) throws Exception;

        abstract boolean release(L lock) throws Exception;

        boolean extend(L lock) throws Exception {
            throw new UnsupportedOperationException("extend");
        }

        boolean held(L lock) throws Exception {
            throw new UnsupportedOperationException("held");
        }

        boolean notHeld(Exception problem) {
            return problem instanceof IllegalMonitorStateException;
        }

        /** A reset begins. */
        void forgetAll() {}

        /** Called for each lock object of the round that a reset ends, on the thread that reads. Must not ask the server. */
        void forget(L lock) {}
    }

    /** The real standard output. Whatever a library prints there goes to the standard error instead. */
    private static final PrintStream ANSWERS = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);

    private Dialogue() {}

    static String setting(String name, String otherwise) {
        return Objects.requireNonNullElse(System.getenv("LOCKSCOPE_" + name), otherwise);
    }

    static String option(String name, String otherwise) {
        return OPTIONS.getOrDefault(name, otherwise);
    }

    private static void say(String line) {
        synchronized (ANSWERS) {
            ANSWERS.print(line + "\n");
            ANSWERS.flush();
        }
    }

    /** The threads and lock objects between two resets. */
    private static final class Round<L> {
        final Adapter<L> adapter;
        final Map<String, Caller<L>> callers = new HashMap<>();
        volatile boolean isEnded;

        Round(Adapter<L> adapter) {
            this.adapter = adapter;
        }

        Caller<L> caller(String name) {
            return callers.computeIfAbsent(name, unused -> new Caller<>(name, this));
        }

        void end() {
            isEnded = true;
            adapter.forgetAll();
            callers.values().forEach(Caller::end);
        }
    }

    /** A thread that does what it is told, in order. Its running call can be interrupted. */
    private static final class Caller<L> extends Thread {
        private final Round<L> round;
        private final Map<String, L> locks = new HashMap<>();
        private final BlockingQueue<String[]> orders = new LinkedBlockingQueue<>();
        private boolean isCalling;

        Caller(String name, Round<L> round) {
            super(name);
            this.round = round;
            setDaemon(true);
            start();
        }

        void order(String... words) {
            orders.add(words);
        }

        synchronized void interruptCall() {
            if (isCalling) {
                interrupt();
            }
        }

        private synchronized void call(boolean begins) {
            isCalling = begins;
            Thread.interrupted(); // what came too late must not hit the next call
        }

        void end() {
            orders.add(new String[0]);
            synchronized (locks) {
                locks.values().forEach(round.adapter::forget);
            }
        }

        @Override public void run() {
            try {
                for (String[] words = orders.take(); words.length > 0; words = orders.take()) {
                    call(true);
                    String text = answer(words);
                    call(false);
                    if (!round.isEnded) {
                        say(getName() + " " + text);
                    }
                }
            } catch (InterruptedException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        private String answer(String[] words) {
            try {
                return obey(words) ? "yes" : "no";
            } catch (Exception problem) {
                return round.adapter.notHeld(problem) ? "no" : ("error " + problem).replaceAll("\\s+", " ");
            }
        }

        private boolean obey(String[] words) throws Exception {
            L lock;
            synchronized (locks) {
                lock = locks.computeIfAbsent(words[1], round.adapter::newLock);
            }
            return switch (words[0]) {
                case "acquire" -> round.adapter.acquire(lock, words.length > 2 && words[2].equals("read"));
                case "release" -> round.adapter.release(lock);
                case "extend" -> round.adapter.extend(lock);
                case "held" -> round.adapter.held(lock);
                default -> throw new UnsupportedOperationException(words[0]);
            };
        }
    }

    /** Ends the process with the end of its input, or because the adapter cannot be made; threads of the library would keep it alive. */
    static <L> void serve(Callable<Adapter<L>> adapter) {
        int code = 0;
        try {
            System.setOut(System.err);
            obeyAll(adapter.call());
        } catch (Exception problem) {
            problem.printStackTrace();
            code = 1;
        }
        Runtime.getRuntime().halt(code);
    }

    private static <L> void obeyAll(Adapter<L> adapter) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Round<L> round = new Round<>(adapter);
        // What else to say of the library: threads, reentrant, fair; and interrupt=no if its program interrupts nothing.
        String more = option("also", "").replace(',', ' ');
        String interrupt = option("interrupt", "").equals("no") ? "" : " interrupt";
        say(("ready " + String.join(" ", adapter.words()) + interrupt + " reset " + more).trim());
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.trim().split(" +");
            if (words.length < 2) {
                continue;
            }
            switch (words[0]) {
                case "reset" -> {
                    round.end();
                    round = new Round<>(adapter);
                    say(words[1] + " yes");
                }
                case "interrupt" -> round.caller(words[1]).interruptCall();
                default -> {
                    String[] order = Arrays.copyOfRange(words, 1, words.length);
                    order[0] = words[0];
                    round.caller(words[1]).order(order);
                }
            }
        }
    }
}
