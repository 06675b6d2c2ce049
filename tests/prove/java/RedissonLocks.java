import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.BaseConfig;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.ReadMode;
import org.redisson.config.SubscriptionMode;

/**
 * Redisson's locks with their watchdog: its period is the lease, and it renews each third of it.
 * Options: kind=lock|fair|spin|readwrite|multi  which lock; a multi lock is one on each server of LOCKSCOPE_URLS, two on a single one
 *          lease=fixed   the lease is given to tryLock, which has no watchdog
 *          held=server   also answer held, which Redisson asks the server about
 *          mode=replicated  Redisson asks the server for its role, and has replicas in mind
 *          timeout=MS attempts=N  how long an answer may take (300), how often a command is repeated (1)
 */
public final class RedissonLocks extends Dialogue.Adapter<RedissonLocks.Chosen> {
    private final List<RedissonClient> clients = new ArrayList<>();
    private final String kind = Dialogue.option("kind", "lock");

    /** The lock of one thread and key; of the two of a readwrite lock the one that was acquired last. */
    static final class Chosen {
        RReadWriteLock both;
        RLock lock;
        final List<RLock> members = new ArrayList<>();
    }

    private RedissonLocks() throws InterruptedException {
        for (String url : Dialogue.URLS) {
            clients.add(connected(url));
        }
        warmUp();
    }

    /** Every script once, so that its first run takes as many messages as every other. A JVM that starts on a busy machine is slow. */
    private void warmUp() throws InterruptedException {
        for (int attempt = 1;; ++attempt) {
            Chosen lock = newLock("warm-up-" + Dialogue.PROCESS + "-" + attempt);
            try {
                for (boolean reads : kind.equals("readwrite") ? new boolean[] {true, false} : new boolean[] {false}) {
                    acquire(lock, reads);
                    release(lock);
                }
                return;
            } catch (RedisException | IllegalMonitorStateException problem) {
                forget(lock);
                if (attempt == 20) {
                    throw problem;
                }
            }
        }
    }

    private static RedissonClient connected(String url) {
        Config config = new Config();
        config.setLockWatchdogTimeout(Dialogue.LEASE_MS).setThreads(2).setNettyThreads(2).setCodec(StringCodec.INSTANCE);
        String address = url.replaceAll("/[0-9]*$", "");
        if (Dialogue.option("mode", "").equals("replicated")) {
            limit(few(config.useReplicatedServers().addNodeAddress(address).setScanInterval(3_600_000).setDnsMonitoringInterval(-1)));
        } else {
            limit(config.useSingleServer().setAddress(address)
                    .setDnsMonitoringInterval(-1)
                    .setConnectionMinimumIdleSize(1).setConnectionPoolSize(2)
                    .setSubscriptionConnectionMinimumIdleSize(1).setSubscriptionConnectionPoolSize(2));
        }
        return Redisson.create(config);
    }

    private static <T extends BaseMasterSlaveServersConfig<T>> T few(T config) {
        return config.setReadMode(ReadMode.MASTER).setSubscriptionMode(SubscriptionMode.MASTER)
                .setMasterConnectionMinimumIdleSize(1).setMasterConnectionPoolSize(2)
                .setSlaveConnectionMinimumIdleSize(1).setSlaveConnectionPoolSize(2)
                .setSubscriptionConnectionMinimumIdleSize(1).setSubscriptionConnectionPoolSize(2);
    }

    private static void limit(BaseConfig<?> config) {
        config.setTimeout(Integer.parseInt(Dialogue.option("timeout", "300")));
        config.setRetryAttempts(Integer.parseInt(Dialogue.option("attempts", "1")));
        config.setRetryInterval(200);
        config.setPingConnectionInterval(0);
    }

    @Override List<String> words() {
        List<String> words = new ArrayList<>(List.of("acquire", "release"));
        if (Dialogue.option("held", "").equals("server")) {
            words.add("held");
        }
        if (kind.equals("readwrite")) {
            words.add("read");
        }
        return words;
    }

    @Override Chosen newLock(String key) {
        RedissonClient client = clients.get(0);
        Chosen chosen = new Chosen();
        switch (kind) {
            case "fair" -> chosen.lock = client.getFairLock(key);
            case "spin" -> chosen.lock = spinLock(client, key);
            case "readwrite" -> {
                chosen.both = client.getReadWriteLock(key);
                chosen.lock = chosen.both.writeLock();
                chosen.members.addAll(List.of(chosen.both.readLock(), chosen.lock));
            }
            case "multi" -> {
                for (int i = 0; i < Math.max(2, clients.size()); ++i) {
                    chosen.members.add(clients.get(i % clients.size()).getLock(key + ":" + (i + 1)));
                }
                chosen.lock = client.getMultiLock(chosen.members.toArray(new RLock[0]));
            }
            default -> chosen.lock = client.getLock(key);
        }
        if (chosen.members.isEmpty()) {
            chosen.members.add(chosen.lock);
        }
        return chosen;
    }

    /** It tries again after random times. By name: versions before 3.16 have none. */
    private static RLock spinLock(RedissonClient client, String key) {
        try {
            return (RLock) RedissonClient.class.getMethod("getSpinLock", String.class).invoke(client, key);
        } catch (ReflectiveOperationException problem) {
            throw new IllegalStateException(problem);
        }
    }

    @Override boolean acquire(Chosen chosen, boolean reads) throws InterruptedException {
        if (chosen.both != null) {
            chosen.lock = reads ? chosen.both.readLock() : chosen.both.writeLock();
        }
        return Dialogue.option("lease", "").equals("fixed")
                ? chosen.lock.tryLock(Dialogue.WAIT_MS, Dialogue.LEASE_MS, TimeUnit.MILLISECONDS)
                : chosen.lock.tryLock(Dialogue.WAIT_MS, TimeUnit.MILLISECONDS);
    }

    @Override boolean release(Chosen chosen) {
        chosen.lock.unlock();
        return true;
    }

    @Override boolean held(Chosen chosen) {
        return chosen.lock.isHeldByCurrentThread();
    }

    /** Ends the renewal of a lock that nobody will unlock. Redisson has no public call that does so without a command. */
    @Override void forget(Chosen chosen) {
        for (RLock lock : chosen.members) {
            for (Class<?> type = lock.getClass(); type != Object.class; type = type.getSuperclass()) {
                for (Method method : type.getDeclaredMethods()) {
                    if (method.getName().equals("cancelExpirationRenewal")) {
                        callWithNulls(method, lock);
                    }
                }
            }
        }
    }

    private static void callWithNulls(Method method, RLock lock) {
        try {
            method.setAccessible(true);
            method.invoke(lock, new Object[method.getParameterCount()]);
        } catch (ReflectiveOperationException problem) {
            System.err.println("cannot end the renewal: " + problem);
        }
    }

    public static void main(String[] arguments) {
        Dialogue.serve(RedissonLocks::new);
    }
}
