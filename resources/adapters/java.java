// An adapter for `lockscope-cli prove`, of Redisson's RLock. Put your own lock in place of it. Save it as Adapter.java.
// Run it:  mvn dependency:copy-dependencies with org.redisson:redisson in a pom.xml, or any folder with its jars; then
//          lockscope-cli prove --adapter "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx96m -cp 'jars/*' Adapter.java"
// Try it:  LOCKSCOPE_URL=redis://127.0.0.1:6379 java -cp 'jars/*' Adapter.java     then type: acquire t0 demo
import java.util.*;
import java.util.concurrent.*;
import org.redisson.Redisson;
import org.redisson.config.Config;

class Adapter {
    public static void main(String[] unused) {
        var environment = System.getenv();
        var wait = Long.parseLong(environment.getOrDefault("LOCKSCOPE_WAIT_MS", "1000"));
        var config = new Config().setLockWatchdogTimeout(Long.parseLong(environment.getOrDefault("LOCKSCOPE_LEASE_MS", "3000")));
        config.useSingleServer().setAddress(environment.getOrDefault("LOCKSCOPE_URL", "redis://127.0.0.1:6379").replaceAll("/\\d+$", ""))
                .setConnectionMinimumIdleSize(1).setDnsMonitoringInterval(-1);
        var redisson = Redisson.create(config);
        var threads = new HashMap<String, ExecutorService>(); // a Redisson lock belongs to a thread
        System.out.println("ready acquire release reset");
        for (var lines = new Scanner(System.in); lines.hasNextLine();) {
            var words = lines.nextLine().trim().split(" +");
            if (words[0].equals("reset")) {
                threads.clear();
                System.out.println(words[1] + " yes");
                continue;
            }
            threads.computeIfAbsent(words[1], name -> Executors.newSingleThreadExecutor()).execute(() -> {
                String answer = "yes";
                try {
                    var lock = redisson.getLock(words[2]);
                    if (words[0].equals("release")) lock.unlock();
                    else if (!lock.tryLock(wait, TimeUnit.MILLISECONDS)) answer = "no";
                } catch (IllegalMonitorStateException notHeld) {
                    answer = "no";
                } catch (Exception problem) {
                    answer = ("error " + problem).replaceAll("\\s+", " ");
                }
                System.out.println(words[1] + " " + answer);
            });
        }
        System.exit(0);
    }
}
