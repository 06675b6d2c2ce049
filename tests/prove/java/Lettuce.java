import java.time.Duration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** How adapters of libraries over Spring's lettuce connect. Option: timeout=MS  how long a command may take (60000) */
final class Lettuce {
    private Lettuce() {}

    static LettuceConnectionFactory connections() {
        Duration timeout = Duration.ofMillis(Long.parseLong(Dialogue.option("timeout", "60000")));
        LettuceConnectionFactory connections = new LettuceConnectionFactory(new RedisStandaloneConfiguration(Dialogue.HOST, Dialogue.PORT),
                LettuceClientConfiguration.builder().commandTimeout(timeout).build());
        connections.afterPropertiesSet();
        connections.getConnection().ping();
        return connections;
    }
}
