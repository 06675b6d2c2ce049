import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** What all drivers of the JVM share: they read orders and print answers. See suite/driver.py. */
final class Orders {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Orders() {}

    /** What a client can be told; a mode overrides what it has. An answer is the owner, if the library tells it. */
    abstract static class Client {
        public abstract String obey(String order) throws Exception;

        final UnsupportedOperationException unknown(String order) {
            return new UnsupportedOperationException(order);
        }
    }

    static JsonNode optionsOf(String[] arguments) throws Exception {
        return JSON.readTree(arguments[1]);
    }

    static int portOf(String[] arguments) {
        return Integer.parseInt(arguments[2]);
    }

    /** Jars rarely say their version in their manifest, but always in their name. */
    private static ObjectNode libraryOf(Class<?> proof) {
        String jar = proof.getProtectionDomain().getCodeSource().getLocation().getPath();
        String file = jar.substring(jar.lastIndexOf('/') + 1).replaceAll("\\.jar$", "");
        int dash = file.lastIndexOf('-');
        return JSON.createObjectNode().put("library", file.substring(0, dash)).put("version", file.substring(dash + 1));
    }

    private static synchronized void say(ObjectNode message) {
        System.out.println(message);
    }

    private static void obey(Map<String, Client> clients, Function<String, Client> clientFor, String mode, JsonNode order) {
        ObjectNode answer = JSON.createObjectNode().put("id", order.get("id").asInt());
        try {
            Client client = clients.computeIfAbsent(order.get("client").asText(), name -> clientFor.apply(mode));
            String what = order.get("do").asText();
            String owner = what.equals("open") ? null : client.obey(what);
            ObjectNode done = answer.putObject("done");
            if (owner != null) {
                done.put("owner", owner);
            }
        } catch (Throwable problem) {
            answer.put("error", problem.getClass().getSimpleName() + ": " + problem.getMessage());
        }
        say(answer);
    }

    /** A thread for each client, until there are no more orders. The jar of `proof` names library and version. */
    static void serve(String[] arguments, Class<?> proof, Function<String, Client> clientFor) throws Exception {
        String mode = arguments[0];
        say(JSON.createObjectNode().set("ready", libraryOf(proof)));
        Map<String, Client> clients = new ConcurrentHashMap<>();
        Map<String, ExecutorService> threads = new HashMap<>();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            JsonNode order = JSON.readTree(line);
            threads.computeIfAbsent(order.get("client").asText(), name -> Executors.newSingleThreadExecutor())
                    .submit(() -> obey(clients, clientFor, mode, order));
        }
        System.exit(0);
    }
}
