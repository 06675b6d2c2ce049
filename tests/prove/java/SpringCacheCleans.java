import org.springframework.data.redis.cache.BatchStrategies;

/** The lock of a Spring cache while it is emptied. How, is left to a BatchStrategy: this one takes its time, as with many entries. */
public final class SpringCacheCleans extends SpringCaches {
    @Override void call(String cache, Runnable inside) {
        writer((connection, name, pattern) -> {
            inside.run();
            return BatchStrategies.keys().cleanCache(connection, name, pattern);
        }).clean(cache, inCache(cache, "*"));
    }

    public static void main(String[] arguments) {
        Dialogue.serve(SpringCacheCleans::new);
    }
}
