import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.noear.redisx.RedisClient;
import org.noear.redisx.plus.RedisLock;

/**
 * redisx's RedisLock over Jedis. It does not wait, and giving back answers nothing. No call can be interrupted: its case says interrupt=no.
 * Options: holder=none  without a name for the holder; timeout=MS  how long an answer may take (2000)
 */
public final class RedisxLocks extends Dialogue.Adapter<RedisxLocks.Held> {
    private final RedisClient client;
    private final boolean isNamed = !Dialogue.option("holder", "").equals("none");

    /** A lock, and whether tryLock() said yes: only then a program comes to unLock(). */
    static final class Held {
        final RedisLock lock;
        final String holder = UUID.randomUUID().toString();
        boolean isAcquired;

        Held(RedisLock lock) {
            this.lock = lock;
        }
    }

    private RedisxLocks() {
        Properties properties = new Properties();
        properties.setProperty("server", Dialogue.HOST + ":" + Dialogue.PORT);
        properties.setProperty("socketTimeoutMillis", Dialogue.option("timeout", "2000"));
        client = new RedisClient(properties);
        Held warmUp = newLock("warm-up-" + Dialogue.PROCESS);
        acquire(warmUp, false);
        release(warmUp);
    }

    @Override List<String> words() {
        return List.of("acquire", "release");
    }

    @Override Held newLock(String key) {
        return new Held(client.getLock(key));
    }

    @Override boolean acquire(Held held, boolean reads) {
        held.isAcquired = false;
        held.isAcquired = isNamed ? held.lock.tryLock(Dialogue.LEASE_MS, TimeUnit.MILLISECONDS, held.holder)
                : held.lock.tryLock(Dialogue.LEASE_MS, TimeUnit.MILLISECONDS);
        return held.isAcquired;
    }

    @Override boolean release(Held held) {
        if (!held.isAcquired) {
            return false;
        }
        if (isNamed) {
            held.lock.unLock(held.holder);
        } else {
            held.lock.unLock();
        }
        held.isAcquired = false;
        return true;
    }

    public static void main(String[] arguments) {
        Dialogue.serve(RedisxLocks::new);
    }
}
