package io.weir.bench.compare.end;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What one process is to do: names and values, as they stand on its command line. */
public final class EndSpec {
    /** What to be: {@code server}, {@code client}, {@code both} or {@code spin}. */
    public static final String ROLE = "role";
    /** What carries the bytes; see {@link EndProgram}. */
    public static final String CARRIER = "carrier";
    /** The {@link Task}. */
    public static final String TASK = "task";
    /** Bytes of a message. */
    public static final String SIZE_BYTES = "sizeBytes";
    /** Connections, or spinning threads. */
    public static final String COUNT = "count";
    /** Calls that each connection has open at once. */
    public static final String OUTSTANDING = "outstanding";
    /** Seconds of traffic before the window that counts. */
    public static final String WARM_SECONDS = "warmSeconds";
    /** Seconds of the window that counts. */
    public static final String SECONDS = "seconds";
    /** The interface of this end. */
    public static final String INTERFACE = "interface";
    /** The address of this end. */
    public static final String LOCAL = "local";
    /** The address of the other end. */
    public static final String REMOTE = "remote";
    /** The server's port. */
    public static final String PORT = "port";
    /** The backend by which Weir opens its interface, empty for its default. */
    public static final String BACKEND = "backend";
    /** A protocol of Weir. */
    public static final String PROTOCOL = "protocol";
    /** The rate of the link in bits per second, 0 for what it is. */
    public static final String RATE_BPS = "rateBps";
    /** The {@link SchedulingChoice} of Weir's loops. */
    public static final String SCHEDULING = "scheduling";
    /** The role of a server. */
    public static final String SERVER = "server";
    /** A folder for files that both ends map. */
    public static final String FOLDER = "folder";
    /** The rules of the agent that the process has, or empty for none. */
    public static final String AGENT_RULES = "agentRules";
    /** The MTU of the interface. */
    public static final String MTU_BYTES = "mtuBytes";

    private final Map<String, String> values;

    private EndSpec(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    /** {@return a task without values} */
    public static EndSpec empty() {
        return new EndSpec(Map.of());
    }

    /** {@return what the command line says: words of the form {@code name=value}} */
    static EndSpec parse(String[] arguments) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(argument + " is not of the form name=value");
            }
            values.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        return new EndSpec(values);
    }

    /** {@return this with one more value} */
    public EndSpec with(String name, Object value) {
        Map<String, String> more = new LinkedHashMap<>(values);
        more.put(name, value.toString());
        return new EndSpec(more);
    }

    /** {@return the words of the command line} */
    public List<String> words() {
        List<String> words = new ArrayList<>();
        values.forEach((name, value) -> words.add(name + "=" + value));
        words.sort(null);
        return words;
    }

    /** {@return the value of this name} */
    public String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return value;
    }

    /** {@return the value of this name, or the usual one} */
    public String text(String name, String usual) {
        return values.getOrDefault(name, usual);
    }

    long number(String name, long usual) {
        String value = values.get(name);
        return value == null ? usual : Long.parseLong(value);
    }

    Task task() {
        return Task.valueOf(text(TASK));
    }

    int sizeBytes() {
        return (int) number(SIZE_BYTES, 64);
    }

    int count() {
        return (int) number(COUNT, 1);
    }

    int outstanding() {
        return (int) number(OUTSTANDING, 1);
    }

    SchedulingChoice scheduling() {
        return SchedulingChoice.valueOf(text(SCHEDULING, SchedulingChoice.SLICES.name()));
    }

    boolean isServer() {
        return text(ROLE, "").equals(SERVER);
    }

    long warmNanos() {
        return nanos(WARM_SECONDS);
    }

    long windowNanos() {
        return nanos(SECONDS);
    }

    private long nanos(String name) {
        return (long) (Double.parseDouble(text(name)) * TimeUnit.SECONDS.toNanos(1));
    }

    int port() {
        return (int) number(PORT, 4730);
    }

    InetSocketAddress local() {
        return new InetSocketAddress(text(LOCAL), port());
    }

    InetSocketAddress remote() {
        return new InetSocketAddress(text(REMOTE), port());
    }
}
