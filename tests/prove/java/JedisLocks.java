import com.github.jedis.lock.JedisLock;
import java.util.List;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPool;

/**
 * jedis-lock: SETNX and GETSET of the time at which the lease ends by the client's clock; the key does not expire. It tries again every 100 ms.
 */
public final class JedisLocks extends Dialogue.Adapter<JedisLocks.Held> {
    private final JedisPool connections = JedisConnections.pool();

    /** A lock, and whether acquire() said yes: release() says nothing, and does nothing for one that was not acquired. */
    static final class Held {
        final JedisLock lock;
        boolean isAcquired;

        Held(String key) {
            lock = new JedisLock(key, (int) Dialogue.WAIT_MS, (int) Dialogue.LEASE_MS);
        }
    }

    private JedisLocks() throws InterruptedException {
        Held warmUp = newLock("warm-up-" + Dialogue.PROCESS);
        acquire(warmUp, false);
        release(warmUp);
    }

    @Override List<String> words() {
        return List.of("acquire", "release");
    }

    @Override Held newLock(String key) {
        return new Held(key);
    }

    @Override boolean acquire(Held held, boolean reads) throws InterruptedException {
        held.isAcquired = false;
        try (Jedis jedis = connections.getResource()) {
            held.isAcquired = held.lock.acquire(jedis);
        }
        return held.isAcquired;
    }

    @Override boolean release(Held held) {
        if (!held.isAcquired) {
            return false;
        }
        try (Jedis jedis = connections.getResource()) {
            held.lock.release(jedis);
        }
        held.isAcquired = false;
        return true;
    }

    public static void main(String[] arguments) {
        Dialogue.serve(JedisLocks::new);
    }
}
