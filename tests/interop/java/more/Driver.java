import com.alicp.jetcache.AutoReleaseLock;
import com.alicp.jetcache.Cache;
import com.alicp.jetcache.RefreshPolicy;
import com.alicp.jetcache.redis.lettuce.RedisLettuceCacheBuilder;
import com.alicp.jetcache.support.Fastjson2KeyConvertor;
import com.alicp.jetcache.support.JavaValueDecoder;
import com.alicp.jetcache.support.JavaValueEncoder;
import com.baomidou.lock.LockInfo;
import com.baomidou.lock.LockTemplate;
import com.baomidou.lock.executor.RedisTemplateLockExecutor;
import com.baomidou.lock.spring.boot.autoconfigure.Lock4jProperties;
import com.fasterxml.jackson.databind.JsonNode;
import io.lettuce.core.RedisClient;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.noear.redisx.plus.RedisLock;
import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Drives lock4j, JetCache, redisx and the cache of Spring Data: Driver MODE OPTIONS PORT... */
public final class Driver {
    private static JsonNode options;
    private static int port;

    private static LettuceConnectionFactory springConnections() {
        LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", port);
        connections.afterPropertiesSet();
        connections.start();
        return connections;
    }

    /** An expiry of -1 is renewed for as long as the lock is held. */
    private static final class Lock4j extends Orders.Client {
        private final LockTemplate template = new LockTemplate();
        private LockInfo held;

        Lock4j() {
            Lock4jProperties properties = new Lock4jProperties();
            template.setProperties(properties);
            template.setExecutors(List.of(new RedisTemplateLockExecutor(new StringRedisTemplate(springConnections()), properties)));
            try {
                template.afterPropertiesSet();
            } catch (Exception problem) {
                throw new IllegalStateException(problem);
            }
        }

        @Override public String obey(String order) {
            switch (order) {
                case "acquire" -> held = template.lock(
                        options.path("name").asText("lock4j:orders:42"), options.path("lease").asLong(60_000), 60_000);
                case "release" -> giveBack();
                default -> throw unknown(order);
            }
            return held.getLockValue();
        }

        private void giveBack() {
            if (!template.releaseLock(held)) {
                throw new IllegalStateException("releaseLock returned false");
            }
        }
    }

    /** Its lock is an entry of the cache; who finds it taken is told so and tries again here. */
    private static final class JetCache extends Orders.Client {
        private final Cache<String, String> cache;
        private AutoReleaseLock held;

        JetCache(boolean refreshes) {
            var builder = RedisLettuceCacheBuilder.createRedisLettuceCacheBuilder()
                    .keyPrefix(options.path("prefix").asText("lock:"))
                    .keyConvertor(Fastjson2KeyConvertor.INSTANCE)
                    .valueEncoder(JavaValueEncoder.INSTANCE)
                    .valueDecoder(JavaValueDecoder.INSTANCE)
                    .redisClient(RedisClient.create("redis://127.0.0.1:" + port));
            if (refreshes) {
                builder.refreshPolicy(RefreshPolicy.newPolicy(1, TimeUnit.SECONDS));
                builder.loader(key -> loadSlowly());
            }
            cache = builder.build();
        }

        private int loads;

        /** At once when it is asked for, and not in the time of a test when it refreshes. */
        private String loadSlowly() throws InterruptedException {
            if (++loads > 1) {
                Thread.sleep(60_000);
            }
            return "loaded";
        }

        @Override public String obey(String order) throws InterruptedException {
            switch (order) {
                case "acquire" -> take();
                case "load" -> cache.get("orders:42");
                case "release" -> held.close();
                default -> throw unknown(order);
            }
            return null;
        }

        private void take() throws InterruptedException {
            for (held = null; held == null; Thread.sleep(50)) {
                held = cache.tryLock("orders:42", 60, TimeUnit.SECONDS);
            }
        }
    }

    /** Without a name for its holder it writes a sign that says "taken". */
    private static final class Redisx extends Orders.Client {
        private final RedisLock lock;
        private final String holder = options.path("holder").asText(null);

        Redisx() {
            Properties properties = new Properties();
            properties.setProperty("server", "127.0.0.1:" + port);
            lock = new org.noear.redisx.RedisClient(properties).getLock("lock:orders:42");
        }

        @Override public String obey(String order) throws InterruptedException {
            switch (order) {
                case "acquire" -> take();
                case "release" -> giveBack();
                default -> throw unknown(order);
            }
            return holder;
        }

        private void take() throws InterruptedException {
            while (!(holder == null ? lock.tryLock(30) : lock.tryLock(30, holder))) {
                Thread.sleep(50);
            }
        }

        private void giveBack() {
            if (holder == null) {
                lock.unLock();
            } else {
                lock.unLock(holder);
            }
        }
    }

    /** The lock of a whole cache, which is held for as long as an operation lasts: too short for a look at it. */
    private static final class SpringCache extends Orders.Client {
        private final RedisCacheWriter writer = RedisCacheWriter.lockingRedisCacheWriter(springConnections());

        @Override public String obey(String order) throws Exception {
            switch (order) {
                case "acquire" -> call("lock");
                case "release" -> call("unlock");
                case "put" -> writer.put("orders", "orders::42".getBytes(StandardCharsets.UTF_8),
                        "paid".getBytes(StandardCharsets.UTF_8), Duration.ofMinutes(1));
                default -> throw unknown(order);
            }
            return null;
        }

        private void call(String name) throws Exception {
            Method method = writer.getClass().getDeclaredMethod(name, String.class);
            method.setAccessible(true);
            method.invoke(writer, "orders");
        }
    }

    private static Orders.Client clientFor(String mode) {
        return switch (mode) {
            case "lock4j" -> new Lock4j();
            case "jetcache" -> new JetCache(false);
            case "jetcache-refresh" -> new JetCache(true);
            case "redisx" -> new Redisx();
            case "spring-cache" -> new SpringCache();
            default -> throw new IllegalArgumentException(mode);
        };
    }

    private static Class<?> libraryOf(String mode) {
        return switch (mode) {
            case "lock4j" -> RedisTemplateLockExecutor.class;
            case "redisx" -> RedisLock.class;
            case "spring-cache" -> RedisCacheWriter.class;
            default -> RedisLettuceCacheBuilder.class;
        };
    }

    public static void main(String[] arguments) throws Exception {
        options = Orders.optionsOf(arguments);
        port = Orders.portOf(arguments);
        Orders.serve(arguments, libraryOf(arguments[0]), Driver::clientFor);
    }
}
