import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * ShedLock's RedisLockProvider of 2018, which is told moments instead of durations. Nobody waits, and nothing is extended.
 * Option: timeout=MS  how long a command may take (60000)
 */
public final class OldShedLocks extends Dialogue.Adapter<OldShedLocks.Job> {
    private final RedisLockProvider provider;

    static final class Job {
        final String name;
        SimpleLock lock;

        Job(String name) {
            this.name = name;
        }
    }

    private OldShedLocks() {
        Duration timeout = Duration.ofMillis(Long.parseLong(Dialogue.option("timeout", "60000")));
        LettuceConnectionFactory connections = new LettuceConnectionFactory(new RedisStandaloneConfiguration(Dialogue.HOST, Dialogue.PORT),
                LettuceClientConfiguration.builder().commandTimeout(timeout).build());
        connections.afterPropertiesSet();
        connections.getConnection().ping();
        provider = new RedisLockProvider(connections);
        Job warmUp = newLock("warm-up-" + Dialogue.PROCESS);
        acquire(warmUp, false);
        release(warmUp);
    }

    @Override List<String> words() {
        return List.of("acquire", "release");
    }

    @Override Job newLock(String key) {
        return new Job(key);
    }

    @Override boolean acquire(Job job, boolean reads) {
        Instant now = Instant.now();
        job.lock = null;
        job.lock = provider.lock(new LockConfiguration(job.name, now.plusMillis(Dialogue.LEASE_MS), now)).orElse(null);
        return job.lock != null;
    }

    @Override boolean release(Job job) {
        if (job.lock == null) {
            return false;
        }
        job.lock.unlock();
        job.lock = null;
        return true;
    }

    public static void main(String[] arguments) {
        Dialogue.serve(OldShedLocks::new);
    }
}
