import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.RedissonLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/**
 * RLock of the Redisson of 2018 and 2019, whose settings are not those of RedissonLocks. Its watchdog renews each third of the lease.
 * Options: timeout=MS attempts=N  how long an answer may take (300), how often a command is repeated (1)
 */
public final class OldRedissonLocks extends Dialogue.Adapter<RLock> {
    private final RedissonClient client;

    private OldRedissonLocks() throws InterruptedException {
        Config config = new Config();
        config.setLockWatchdogTimeout(Dialogue.LEASE_MS).setThreads(2).setNettyThreads(2).setCodec(StringCodec.INSTANCE);
        config.useSingleServer().setAddress("redis://" + Dialogue.HOST + ":" + Dialogue.PORT).setDnsMonitoringInterval(-1)
                .setConnectionMinimumIdleSize(1).setConnectionPoolSize(2)
                .setSubscriptionConnectionMinimumIdleSize(1).setSubscriptionConnectionPoolSize(2)
                .setTimeout(Integer.parseInt(Dialogue.option("timeout", "300")))
                .setRetryAttempts(Integer.parseInt(Dialogue.option("attempts", "1"))).setRetryInterval(200);
        client = Redisson.create(config);
        RLock warmUp = newLock("warm-up-" + Dialogue.PROCESS);
        acquire(warmUp, false);
        release(warmUp);
    }

    @Override List<String> words() {
        return List.of("acquire", "release");
    }

    @Override RLock newLock(String key) {
        return client.getLock(key);
    }

    @Override boolean acquire(RLock lock, boolean reads) throws InterruptedException {
        return lock.tryLock(Dialogue.WAIT_MS, TimeUnit.MILLISECONDS);
    }

    @Override boolean release(RLock lock) {
        lock.unlock();
        return true;
    }

    /** The watchdog finds what it renews in a table that all locks share. */
    @Override void forgetAll() {
        try {
            Field table = RedissonLock.class.getDeclaredField("EXPIRATION_RENEWAL_MAP");
            table.setAccessible(true);
            for (Object entry : ((Map<?, ?>) table.get(null)).values()) {
                ((RedissonLock.ExpirationEntry) entry).getTimeout().cancel();
            }
            ((Map<?, ?>) table.get(null)).clear();
        } catch (ReflectiveOperationException problem) {
            throw new IllegalStateException(problem);
        }
    }

    @Override boolean notHeld(Exception problem) {
        return problem instanceof IllegalMonitorStateException;
    }

    public static void main(String[] arguments) {
        Dialogue.serve(OldRedissonLocks::new);
    }
}
