import java.util.UUID;
import org.springframework.data.redis.cache.BatchStrategies;

/** The lock of a Spring cache while it loads an entry that is missing: a new one each time, because one that is there needs no lock. */
public final class SpringCacheLoads extends SpringCaches {
    @Override void call(String cache, Runnable inside) {
        writer(BatchStrategies.keys()).get(cache, inCache(cache, UUID.randomUUID().toString()), () -> {
            inside.run();
            return new byte[0];
        }, LEASE, false);
    }

    public static void main(String[] arguments) {
        Dialogue.serve(SpringCacheLoads::new);
    }
}
