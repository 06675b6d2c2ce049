import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Field;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.redisson.Redisson;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/**
 * Drives the lock libraries of the JVM for tests/interop/run.py: Driver MODE OPTIONS PORT...
 * A client is one instance of its library with a thread of its own; its methods are the orders. See suite/driver.py.
 */
public final class Driver {
    private static final String NAME = "lock:orders:42";
    private static JsonNode options;
    private static int port;

    private static RedissonClient redisson() {
        Config config = new Config();
        config.setLockWatchdogTimeout(options.path("watchdog").asLong(30_000));
        config.useSingleServer()
                .setAddress("redis://127.0.0.1:" + port)
                .setConnectionMinimumIdleSize(1)
                .setSubscriptionConnectionMinimumIdleSize(1);
        return Redisson.create(config);
    }

    private static String ownerOf(RedissonClient client, String tail) {
        return client.getId() + ":" + Thread.currentThread().getId() + tail;
    }

    /** All locks that are java.util.concurrent locks; with a lease only if the options name one. */
    private static final class RedissonLock extends Orders.Client {
        private final RedissonClient client = redisson();
        private final String mode;

        RedissonLock(String mode) {
            this.mode = mode;
        }

        private RLock lock() {
            return switch (mode) {
                case "fair" -> client.getFairLock(NAME);
                case "spin" -> client.getSpinLock(NAME);
                case "fenced" -> client.getFencedLock(NAME);
                case "non-reentrant" -> client.getNonReentrantLock(NAME);
                case "multi" -> client.getMultiLock(client.getLock(NAME), client.getLock("lock:orders:43"));
                case "faster-multi" -> client.getMultiLock("lock:orders", List.of("42", "43"));
                default -> client.getLock(NAME);
            };
        }

        @Override public String obey(String order) {
            switch (order) {
                case "acquire", "reenter" -> take();
                case "release" -> lock().unlock();
                default -> throw unknown(order);
            }
            return ownerOf(client, "");
        }

        private void take() {
            long lease = options.path("lease").asLong(0);
            if (lease > 0) {
                lock().lock(lease, TimeUnit.MILLISECONDS);
            } else if (mode.equals("fenced")) {
                ((RFencedLock) lock()).lockAndGetToken();
            } else {
                lock().lock();
            }
        }
    }

    /** Reads and writes as it is told: `read`, `write`, `release-read`, `release-write`. */
    private static final class RedissonReadWrite extends Orders.Client {
        private final RedissonClient client = redisson();
        private final RReadWriteLock lock = client.getReadWriteLock(NAME);

        @Override public String obey(String order) {
            switch (order) {
                case "read" -> lock.readLock().lock();
                case "write" -> lock.writeLock().lock();
                case "release-read" -> lock.readLock().unlock();
                case "release-write" -> lock.writeLock().unlock();
                default -> throw unknown(order);
            }
            return ownerOf(client, order.endsWith("write") ? ":write" : "");
        }
    }

    private static final class RedissonSemaphore extends Orders.Client {
        private final RSemaphore semaphore = redisson().getSemaphore("semaphore:orders:42");

        @Override public String obey(String order) throws InterruptedException {
            switch (order) {
                case "create" -> semaphore.trySetPermits(options.path("permits").asInt(1));
                case "acquire" -> semaphore.acquire();
                case "release" -> semaphore.release();
                default -> throw unknown(order);
            }
            return null;
        }
    }

    private static final class RedissonPermits extends Orders.Client {
        private final RPermitExpirableSemaphore semaphore = redisson().getPermitExpirableSemaphore("semaphore:orders:42");
        private String permit;

        @Override public String obey(String order) throws InterruptedException {
            switch (order) {
                case "create" -> semaphore.trySetPermits(options.path("permits").asInt(1));
                case "acquire" -> permit = semaphore.acquire(options.path("lease").asLong(60_000), TimeUnit.MILLISECONDS);
                case "release" -> semaphore.release(permit);
                default -> throw unknown(order);
            }
            return order.equals("acquire") ? rawBytes(permit) : null;
        }

        /** Redisson says 32 digits and stores the sixteen bytes; Lockscope names them like that. */
        private static String rawBytes(String digits) {
            return digits;
        }
    }

    private static final class RedissonLatch extends Orders.Client {
        private final RCountDownLatch latch = redisson().getCountDownLatch("latch:orders:42");

        @Override public String obey(String order) throws InterruptedException {
            switch (order) {
                case "create" -> latch.trySetCount(options.path("count").asInt(2));
                case "await" -> latch.await();
                case "count-down" -> latch.countDown();
                default -> throw unknown(order);
            }
            return null;
        }
    }

    private static LettuceConnectionFactory springConnections() {
        LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", port);
        connections.afterPropertiesSet();
        connections.start();
        return connections;
    }

    private static final class SpringIntegration extends Orders.Client {
        private final RedisLockRegistry registry = new RedisLockRegistry(springConnections(), "locks", 60_000);

        SpringIntegration(boolean publishes) {
            if (publishes) {
                registry.setRedisLockType(RedisLockRegistry.RedisLockType.PUB_SUB_LOCK);
            }
        }

        @Override public String obey(String order) throws Exception {
            switch (order) {
                case "acquire", "reenter" -> registry.obtain("orders:42").lock();
                case "release" -> registry.obtain("orders:42").unlock();
                default -> throw unknown(order);
            }
            Field clientId = RedisLockRegistry.class.getDeclaredField("clientId");
            clientId.setAccessible(true);
            return (String) clientId.get(registry);
        }
    }

    /** A scheduled job that finds the lock taken is left out; the driver tries again, so that there is a next one. */
    private static final class ShedLock extends Orders.Client {
        private final LockProvider provider = new RedisLockProvider(springConnections(), "production");
        private SimpleLock lock;

        @Override public String obey(String order) throws InterruptedException {
            switch (order) {
                case "acquire" -> take();
                case "release" -> lock.unlock();
                default -> throw unknown(order);
            }
            return null;
        }

        private void take() throws InterruptedException {
            Duration atLeast = Duration.ofMillis(options.path("atLeast").asLong(0));
            while (true) {
                Optional<SimpleLock> taken = provider.lock(
                        new LockConfiguration(Instant.now(), "nightly-report", Duration.ofMinutes(1), atLeast));
                if (taken.isPresent()) {
                    lock = taken.get();
                    return;
                }
                Thread.sleep(50);
            }
        }
    }

    private static Orders.Client clientFor(String mode) {
        return switch (mode) {
            case "read-write" -> new RedissonReadWrite();
            case "semaphore" -> new RedissonSemaphore();
            case "permit-semaphore" -> new RedissonPermits();
            case "latch" -> new RedissonLatch();
            case "spring-spin" -> new SpringIntegration(false);
            case "spring-pubsub" -> new SpringIntegration(true);
            case "shedlock" -> new ShedLock();
            default -> new RedissonLock(mode);
        };
    }

    private static Class<?> libraryOf(String mode) {
        return mode.startsWith("spring") ? RedisLockRegistry.class
                : mode.equals("shedlock") ? RedisLockProvider.class : Redisson.class;
    }

    public static void main(String[] arguments) throws Exception {
        options = Orders.optionsOf(arguments);
        port = Orders.portOf(arguments);
        Orders.serve(arguments, libraryOf(arguments[0]), Driver::clientFor);
    }
}
