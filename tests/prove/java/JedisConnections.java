import redis.clients.jedis.JedisPool;
import redis.clients.jedis.JedisPoolConfig;

/** How adapters of libraries over Jedis connect. Option: timeout=MS  how long an answer may take (2000) */
final class JedisConnections {
    private JedisConnections() {}

    static JedisPool pool() {
        return new JedisPool(new JedisPoolConfig(), Dialogue.HOST, Dialogue.PORT, Integer.parseInt(Dialogue.option("timeout", "2000")));
    }
}
