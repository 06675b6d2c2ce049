import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.channels.Selector;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Waits of 30 seconds, each begun by its name on a line; answers with the seconds that the clocks say it took. */
public class Waits {
    interface Wait {
        void run() throws Exception;
    }

    static final ScheduledExecutorService POOL = Executors.newScheduledThreadPool(1);

    static void inMonitor() throws Exception {
        Object monitor = new Object();
        synchronized (monitor) {
            monitor.wait(30_000);
        }
    }

    static void parked() {
        long end = System.nanoTime() + 30_000_000_000L;
        for (long left; (left = end - System.nanoTime()) > 0;) {
            LockSupport.parkNanos(left);
        }
    }

    static void forFuture() throws Exception {
        try {
            new CompletableFuture<Integer>().get(30, TimeUnit.SECONDS);
        } catch (TimeoutException expected) {
        }
    }

    static void forConnection() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(30_000);
            server.accept();
        } catch (SocketTimeoutException expected) {
        }
    }

    static Map<String, Wait> waits() {
        Map<String, Wait> waits = new LinkedHashMap<>();
        waits.put("sleep", () -> Thread.sleep(30_000));
        waits.put("wait", Waits::inMonitor);
        waits.put("park", Waits::parked);
        waits.put("semaphore", () -> new Semaphore(0).tryAcquire(30, TimeUnit.SECONDS));
        waits.put("queue", () -> new LinkedBlockingQueue<Integer>().poll(30, TimeUnit.SECONDS));
        waits.put("future", Waits::forFuture);
        waits.put("scheduled", () -> POOL.schedule(() -> 1, 30, TimeUnit.SECONDS).get());
        waits.put("selector", () -> Selector.open().select(30_000));
        waits.put("socket", Waits::forConnection);
        return waits;
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, Wait> waits = waits();
        System.out.println("ready " + String.join(" ", waits.keySet()));
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = lines.readLine()) != null;) {
            long monotonic = System.nanoTime();
            long wall = System.currentTimeMillis();
            waits.get(line).run();
            System.out.println((System.nanoTime() - monotonic) / 1e9 + " " + (System.currentTimeMillis() - wall) / 1e3);
        }
        Runtime.getRuntime().halt(0);
    }
}
