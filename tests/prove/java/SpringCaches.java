import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.cache.BatchStrategy;
import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The lock of a whole cache, which Spring Data's locking RedisCacheWriter has while one of its calls lasts. It looks each 50 ms, and for ever
 * unless its thread is interrupted: that is how the adapter gives up.
 * Options: lease=none  as by default, the lock does not expire; timeout=MS  how long a command may take (60000)
 */
abstract class SpringCaches extends Dialogue.Adapter<Section> {
    static final Duration LEASE = Dialogue.option("lease", "").equals("none") ? Duration.ZERO : Duration.ofMillis(Dialogue.LEASE_MS);
    private final LettuceConnectionFactory connections = Lettuce.connections();

    SpringCaches() {
        call("warm-up-" + Dialogue.PROCESS, () -> {});
    }

    /** Runs what has to be done while it has the lock. */
    abstract void call(String cache, Runnable inside);

    RedisCacheWriter writer(BatchStrategy emptying) {
        return RedisCacheWriter.lockingRedisCacheWriter(connections, Duration.ofMillis(50), RedisCacheWriter.TtlFunction.just(LEASE), emptying);
    }

    static byte[] inCache(String cache, String entry) {
        return (cache + "::" + entry).getBytes(StandardCharsets.UTF_8);
    }

    @Override List<String> words() {
        return List.of("acquire", "release");
    }

    @Override Section newLock(String key) {
        return new Section(inside -> call(key, inside));
    }

    /** A call that was interrupted has not got the lock, as far as its caller knows, whether it slept or waited for an answer. */
    @Override boolean acquire(Section section, boolean reads) throws InterruptedException, ExecutionException {
        try {
            return section.enter();
        } catch (ExecutionException problem) {
            if (NestedExceptionUtils.getMostSpecificCause(problem) instanceof InterruptedException) {
                return false;
            }
            throw problem;
        }
    }

    @Override boolean release(Section section) throws InterruptedException, ExecutionException {
        return section.leave();
    }
}
