import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.jedis.lock.JedisLock;
import java.lang.reflect.Field;
import net.joelinn.quartz.jobstore.AbstractRedisStorage;
import net.joelinn.quartz.jobstore.RedisJobStoreSchema;
import net.joelinn.quartz.jobstore.RedisStorage;
import redis.clients.jedis.Jedis;

/** Drives libraries that need a Jedis of before 2022: Driver MODE OPTIONS PORT... */
public final class Driver {
    private static int port;

    /** SETNX and GETSET: the value is the end of the hold, and the key does not expire. */
    private static final class JedisLocks extends Orders.Client {
        private final JedisLock lock = new JedisLock(new Jedis("127.0.0.1", port), "lock:orders:42", 60_000, 60_000);

        @Override public String obey(String order) throws InterruptedException {
            switch (order) {
                case "acquire" -> take();
                case "release" -> lock.release();
                default -> throw unknown(order);
            }
            return null;
        }

        private void take() throws InterruptedException {
            if (!lock.acquire()) {
                throw new IllegalStateException("acquire returned false");
            }
        }
    }

    /** The lock around every operation on the jobs that quartz-redis-jobstore keeps. */
    private static final class QuartzJobStore extends Orders.Client {
        private final Jedis jedis = new Jedis("127.0.0.1", port);
        private final RedisStorage storage =
                new RedisStorage(new RedisJobStoreSchema("quartz:"), new ObjectMapper(), null, "scheduler-1", 30_000);

        @Override public String obey(String order) throws Exception {
            switch (order) {
                case "acquire" -> storage.waitForLock(jedis);
                case "release" -> giveBack();
                default -> throw unknown(order);
            }
            Field value = AbstractRedisStorage.class.getDeclaredField("lockValue");
            value.setAccessible(true);
            return value.get(storage).toString();
        }

        private void giveBack() {
            if (!storage.unlock(jedis)) {
                throw new IllegalStateException("unlock returned false");
            }
        }
    }

    private static Orders.Client clientFor(String mode) {
        return mode.equals("quartz") ? new QuartzJobStore() : new JedisLocks();
    }

    public static void main(String[] arguments) throws Exception {
        port = Orders.portOf(arguments);
        Orders.serve(arguments, arguments[0].equals("quartz") ? RedisStorage.class : JedisLock.class, Driver::clientFor);
    }
}
