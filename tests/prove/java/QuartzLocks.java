import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import net.joelinn.quartz.jobstore.RedisJobStoreSchema;
import net.joelinn.quartz.jobstore.RedisStorage;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPool;

/**
 * The lock around each operation of quartz-redis-jobstore, with a job store for each key. The threads of a process share it, and its one token.
 * Its waitForLock() waits for ever, and heeds no interrupt: instead of it lock() is tried each 100 ms, and its case says interrupt=no.
 */
public final class QuartzLocks extends Dialogue.Adapter<QuartzLocks.Held> {
    private final Map<String, RedisStorage> stores = new ConcurrentHashMap<>();
    private final JedisPool connections = JedisConnections.pool();

    /** A store, and whether this thread's lock() said yes: only then an operation comes to unlock(). */
    static final class Held {
        final RedisStorage store;
        boolean isAcquired;

        Held(RedisStorage store) {
            this.store = store;
        }
    }

    private QuartzLocks() throws InterruptedException {
        Held warmUp = newLock("warm-up-" + Dialogue.PROCESS);
        acquire(warmUp, false);
        release(warmUp);
    }

    @Override List<String> words() {
        return List.of("acquire", "release");
    }

    @Override void forgetAll() {
        stores.clear();
    }

    @Override Held newLock(String key) {
        return new Held(stores.computeIfAbsent(key, name -> new RedisStorage(
                new RedisJobStoreSchema(name + ":"), new ObjectMapper(), null, Dialogue.PROCESS, (int) Dialogue.LEASE_MS)));
    }

    @Override boolean acquire(Held held, boolean reads) throws InterruptedException {
        long deadline = System.nanoTime() + Dialogue.WAIT_MS * 1_000_000;
        held.isAcquired = false;
        while (!lock(held) && System.nanoTime() < deadline) {
            Thread.sleep(100);
        }
        return held.isAcquired;
    }

    private boolean lock(Held held) {
        try (Jedis jedis = connections.getResource()) {
            held.isAcquired = held.store.lock(jedis);
        }
        return held.isAcquired;
    }

    @Override boolean release(Held held) {
        boolean wasAcquired = held.isAcquired;
        held.isAcquired = false;
        try (Jedis jedis = connections.getResource()) {
            return wasAcquired && held.store.unlock(jedis);
        }
    }

    public static void main(String[] arguments) {
        Dialogue.serve(QuartzLocks::new);
    }
}
