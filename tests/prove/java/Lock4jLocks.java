import com.baomidou.lock.LockInfo;
import com.baomidou.lock.LockTemplate;
import com.baomidou.lock.exception.LockException;
import com.baomidou.lock.executor.RedisTemplateLockExecutor;
import com.baomidou.lock.spring.boot.autoconfigure.Lock4jProperties;
import java.util.List;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * lock4j's LockTemplate over Spring's RedisTemplate, with a lease that is not renewed. It tries again every 100 ms.
 * Option: timeout=MS  how long a command may take (60000)
 */
public final class Lock4jLocks extends Dialogue.Adapter<Lock4jLocks.Held> {
    private final LockTemplate template = new LockTemplate();

    /** What the last lock() returned: null if it was not acquired. */
    static final class Held {
        final String key;
        LockInfo lock;

        Held(String key) {
            this.key = key;
        }
    }

    private Lock4jLocks() throws Exception {
        LettuceConnectionFactory connections = Lettuce.connections();
        Lock4jProperties properties = new Lock4jProperties();
        template.setProperties(properties);
        template.setExecutors(List.of(new RedisTemplateLockExecutor(new StringRedisTemplate(connections), properties)));
        template.afterPropertiesSet();
        Held warmUp = newLock("warm-up-" + Dialogue.PROCESS);
        if (!acquire(warmUp, false) || !release(warmUp)) {
            throw new LockException("cannot warm up");
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
        held.lock = template.lock(held.key, Dialogue.LEASE_MS, Dialogue.WAIT_MS);
        return held.lock != null;
    }

    @Override boolean release(Held held) {
        return template.releaseLock(held.lock);
    }

    public static void main(String[] arguments) {
        Dialogue.serve(Lock4jLocks::new);
    }
}
