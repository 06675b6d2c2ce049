import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Lock and unlock pairs per second with Redisson's lock, a thread and a connection per user, without contention:
 * java RedissonPairs.java HOST PORT USERS KEYS SECONDS. Counts after some seconds of warming up, as a JVM needs them.
 */
public final class RedissonPairs {
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long LEASE_SECONDS = 30;

    public static void main(String[] arguments) throws Exception {
        int userCount = Integer.parseInt(arguments[2]);
        int keyCount = Integer.parseInt(arguments[3]);
        long measuredNs = TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[4]));
        RedissonClient client = connect(arguments[0] + ":" + arguments[1], userCount);
        long begin = System.nanoTime() + WARM_UP_NS;
        List<Callable<Long>> users = new ArrayList<>();
        for (int i = 0; i < userCount; i++) {
            int first = i;
            users.add(() -> use(client, keysOf(first, userCount, keyCount), begin, begin + measuredNs));
        }
        ExecutorService threads = Executors.newFixedThreadPool(userCount);
        long pairs = 0;
        for (Future<Long> user : threads.invokeAll(users)) {
            pairs += user.get();
        }
        System.out.println(pairs * 1e9 / (System.nanoTime() - begin));
        threads.shutdown();
        client.shutdown();
    }

    private static RedissonClient connect(String address, int connectionCount) {
        Config config = new Config();
        config.useSingleServer()
                .setAddress("redis://" + address)
                .setConnectionPoolSize(connectionCount)
                .setConnectionMinimumIdleSize(connectionCount);
        return Redisson.create(config);
    }

    private static List<String> keysOf(int first, int userCount, int keyCount) {
        List<String> keys = new ArrayList<>();
        for (int i = first; i < keyCount; i += userCount) {
            keys.add("lock:redisson:" + i);
        }
        return keys;
    }

    /** How many pairs one user made between the two instants. */
    private static long use(RedissonClient client, List<String> keys, long begin, long end) throws InterruptedException {
        long pairs = 0;
        for (int i = 0; System.nanoTime() - end < 0; i++) {
            RLock lock = client.getLock(keys.get(i % keys.size()));
            if (!lock.tryLock(0, LEASE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(lock.getName() + " is somebody else's");
            }
            lock.unlock();
            if (System.nanoTime() - begin > 0) {
                pairs++;
            }
        }
        return pairs;
    }
}
