import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * ShedLock's RedisLockProvider over lettuce.
 * Options: safe=1  release and extension compare the owner; timeout=MS  how long a command may take (60000)
 */
public final class ShedLocks extends ShedJobs {
    private final RedisLockProvider provider;

    private ShedLocks() {
        LettuceConnectionFactory connections = Lettuce.connections();
        RedisLockProvider.Builder builder = new RedisLockProvider.Builder(connections);
        if (Dialogue.option("safe", "").equals("1")) {
            updateSafely(builder);
        }
        provider = builder.build();
        Job warmUp = newLock("warm-up-" + Dialogue.PROCESS);
        acquire(warmUp, false);
        extend(warmUp);
        release(warmUp);
    }

    /** By name: 6.6 knows no such choice. */
    private static void updateSafely(RedisLockProvider.Builder builder) {
        try {
            RedisLockProvider.Builder.class.getMethod("safeUpdate", boolean.class).invoke(builder, true);
        } catch (ReflectiveOperationException problem) {
            throw new IllegalStateException(problem);
        }
    }

    @Override List<String> words() {
        return List.of("acquire", "release", "extend");
    }

    @Override boolean acquire(Job job, boolean reads) {
        job.lock = null;
        Duration lease = Duration.ofMillis(Dialogue.LEASE_MS);
        return keep(job, provider.lock(new LockConfiguration(ClockProvider.now(), job.name, lease, Duration.ZERO)));
    }

    @Override boolean extend(Job job) {
        return job.lock != null && keep(job, job.lock.extend(Duration.ofMillis(Dialogue.LEASE_MS), Duration.ZERO));
    }

    private static boolean keep(Job job, Optional<SimpleLock> lock) {
        job.lock = lock.orElse(null);
        return lock.isPresent();
    }

    public static void main(String[] arguments) {
        Dialogue.serve(ShedLocks::new);
    }
}
