import java.time.Instant;
import java.util.List;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * ShedLock's RedisLockProvider of 2018, which is told moments instead of durations. Nothing is extended.
 * Option: timeout=MS  how long a command may take (60000)
 */
public final class OldShedLocks extends ShedJobs {
    private final RedisLockProvider provider;

    private OldShedLocks() {
        LettuceConnectionFactory connections = Lettuce.connections();
        provider = new RedisLockProvider(connections);
        Job warmUp = newLock("warm-up-" + Dialogue.PROCESS);
        acquire(warmUp, false);
        release(warmUp);
    }

    @Override List<String> words() {
        return List.of("acquire", "release");
    }

    @Override boolean acquire(Job job, boolean reads) {
        Instant now = Instant.now();
        job.lock = null;
        job.lock = provider.lock(new LockConfiguration(job.name, now.plusMillis(Dialogue.LEASE_MS), now)).orElse(null);
        return job.lock != null;
    }

    public static void main(String[] arguments) {
        Dialogue.serve(OldShedLocks::new);
    }
}
