import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Takes locks with Redisson as it is told, line by line (foreign/locker.h): HoldRedisson KIND HOST:PORT.
 * KIND is lock, fair or write. Besides `lock` and `unlock` it answers what Redisson itself says of a lock.
 */
public final class HoldRedisson {
    private final RedissonClient client;
    private final String kind;

    private HoldRedisson(RedissonClient client, String kind) {
        this.client = client;
        this.kind = kind;
    }

    public static void main(String[] arguments) throws IOException {
        Config config = new Config();
        config.useSingleServer()
                .setAddress("redis://" + arguments[1])
                .setConnectionMinimumIdleSize(1)
                .setSubscriptionConnectionMinimumIdleSize(1);
        RedissonClient client = Redisson.create(config);
        System.out.println("ready");
        new HoldRedisson(client, arguments[0]).obeyUntilEndOfInput();
        client.shutdown();
    }

    private void obeyUntilEndOfInput() throws IOException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            System.out.println(answer(line.split(" ")));
        }
    }

    private String answer(String[] order) {
        try {
            RLock lock = order.length > 1 ? lockOf(order[1]) : null;
            return switch (order[0]) {
                case "lock" -> lock(lock, Long.parseLong(order[2]), Long.parseLong(order[3]));
                case "unlock" -> unlock(lock);
                case "owner" -> client.getId() + ":" + Thread.currentThread().getId();
                case "isLocked" -> String.valueOf(lock.isLocked());
                case "isMine" -> String.valueOf(lock.isHeldByCurrentThread());
                case "holdCount" -> String.valueOf(lock.getHoldCount());
                case "remainingMs" -> String.valueOf(lock.remainTimeToLive());
                default -> "not understood: " + order[0];
            };
        } catch (Exception problem) {
            return "error " + problem;
        }
    }

    private RLock lockOf(String key) {
        return switch (kind) {
            case "lock" -> client.getLock(key);
            case "fair" -> client.getFairLock(key);
            case "write" -> client.getReadWriteLock(key).writeLock();
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private static String lock(RLock lock, long leaseMs, long waitMs) throws InterruptedException {
        return lock.tryLock(waitMs, leaseMs, TimeUnit.MILLISECONDS) ? "granted" : "refused";
    }

    private static String unlock(RLock lock) {
        try {
            lock.unlock();
            return "released";
        } catch (IllegalMonitorStateException notOurs) {
            return "not held";
        }
    }
}
