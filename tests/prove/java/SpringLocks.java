import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/**
 * Spring Integration's RedisLockRegistry over lettuce. It tries again every 100 ms.
 * Options: type=pubsub  waiters are woken by a message; timeout=MS  how long a command may take (60000)
 */
public final class SpringLocks extends Dialogue.Adapter<Lock> {
    private final LettuceConnectionFactory connections;
    private RedisLockRegistry registry;

    private SpringLocks() {
        connections = Lettuce.connections();
        forgetAll();
        Lock warmUp = registry.obtain("warm-up-" + Dialogue.PROCESS);
        warmUp.lock();
        warmUp.unlock();
    }

    @Override void forgetAll() {
        registry = new RedisLockRegistry(connections, "locks", Dialogue.LEASE_MS);
        if (Dialogue.option("type", "spin").equals("pubsub")) {
            wakeByMessages();
        }
    }

    /** By name: 5.5 knows no other way of waiting, and so no such choice. */
    private void wakeByMessages() {
        for (Method method : RedisLockRegistry.class.getMethods()) {
            if (method.getName().equals("setRedisLockType")) {
                try {
                    method.invoke(registry, method.getParameterTypes()[0].getField("PUB_SUB_LOCK").get(null));
                } catch (ReflectiveOperationException problem) {
                    throw new IllegalStateException(problem);
                }
            }
        }
    }

    @Override List<String> words() {
        return List.of("acquire", "release");
    }

    @Override Lock newLock(String key) {
        return registry.obtain(key);
    }

    @Override boolean acquire(Lock lock, boolean reads) throws InterruptedException {
        return lock.tryLock(Dialogue.WAIT_MS, TimeUnit.MILLISECONDS);
    }

    @Override boolean release(Lock lock) {
        lock.unlock();
        return true;
    }

    /** It says the same of a lock that this thread does not have and of one that ran out. */
    @Override boolean notHeld(Exception problem) {
        return problem instanceof IllegalStateException;
    }

    public static void main(String[] arguments) {
        Dialogue.serve(SpringLocks::new);
    }
}
