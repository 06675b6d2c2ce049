import com.alicp.jetcache.AutoReleaseLock;
import com.alicp.jetcache.Cache;
import com.alicp.jetcache.redis.lettuce.RedisLettuceCacheBuilder;
import com.alicp.jetcache.support.Fastjson2KeyConvertor;
import com.alicp.jetcache.support.JavaValueDecoder;
import com.alicp.jetcache.support.JavaValueEncoder;
import io.lettuce.core.RedisClient;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The tryLock() of a JetCache cache over lettuce. It does not wait, and close() answers nothing, whatever became of it. A call that is
 * interrupted asks the server once more, and may return with the lock: its case says interrupt=no.
 * Option: timeout=MS  how long an answer may take (1000)
 */
public final class JetCacheLocks extends Dialogue.Adapter<JetCacheLocks.Held> {
    private final Cache<String, String> cache;

    /** What the last tryLock() returned: null if it was not acquired. */
    static final class Held {
        final String key;
        AutoReleaseLock lock;

        Held(String key) {
            this.key = key;
        }
    }

    private JetCacheLocks() {
        cache = RedisLettuceCacheBuilder.createRedisLettuceCacheBuilder()
                .keyPrefix("lock:")
                .keyConvertor(Fastjson2KeyConvertor.INSTANCE)
                .valueEncoder(JavaValueEncoder.INSTANCE)
                .valueDecoder(JavaValueDecoder.INSTANCE)
                .asyncResultTimeoutInMillis(Long.parseLong(Dialogue.option("timeout", "1000")))
                .redisClient(RedisClient.create("redis://" + Dialogue.HOST + ":" + Dialogue.PORT))
                .buildCache();
        Held warmUp = newLock("warm-up-" + Dialogue.PROCESS);
        if (!acquire(warmUp, false) || !release(warmUp)) {
            throw new IllegalStateException("cannot warm up");
        }
    }

    @Override List<String> words() {
        return List.of("acquire", "release");
    }

    @Override Held newLock(String key) {
        return new Held(key);
    }

    @Override boolean acquire(Held held, boolean reads) {
        held.lock = null;
        held.lock = cache.tryLock(held.key, Dialogue.LEASE_MS, TimeUnit.MILLISECONDS);
        return held.lock != null;
    }

    @Override boolean release(Held held) {
        if (held.lock == null) {
            return false;
        }
        held.lock.close();
        held.lock = null;
        return true;
    }

    public static void main(String[] arguments) {
        Dialogue.serve(JetCacheLocks::new);
    }
}
