import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * ShedLock's RedisLockProvider over lettuce. A job that finds the lock taken is left out: nobody waits.
 * Options: safe=1  release and extension compare the owner; timeout=MS  how long a command may take (60000)
 */
public final class ShedLocks extends Dialogue.Adapter<ShedLocks.Job> {
    private final RedisLockProvider provider;

    /** The lock of the job's last run, until it is given back or could not be extended: from then on nothing may be called on it. */
    static final class Job {
        final String name;
        SimpleLock lock;

        Job(String name) {
            this.name = name;
        }
    }

    private ShedLocks() {
        Duration timeout = Duration.ofMillis(Long.parseLong(Dialogue.option("timeout", "60000")));
        LettuceConnectionFactory connections = new LettuceConnectionFactory(new RedisStandaloneConfiguration(Dialogue.HOST, Dialogue.PORT),
                LettuceClientConfiguration.builder().commandTimeout(timeout).build());
        connections.afterPropertiesSet();
        connections.getConnection().ping();
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

    @Override Job newLock(String key) {
        return new Job(key);
    }

    @Override boolean acquire(Job job, boolean reads) {
        job.lock = null;
        Duration lease = Duration.ofMillis(Dialogue.LEASE_MS);
        return keep(job, provider.lock(new LockConfiguration(ClockProvider.now(), job.name, lease, Duration.ZERO)));
    }

    @Override boolean release(Job job) {
        if (job.lock == null) {
            return false;
        }
        job.lock.unlock();
        job.lock = null;
        return true;
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
