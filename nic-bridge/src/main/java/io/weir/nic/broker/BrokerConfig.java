package io.weir.nic.broker;

import com.sun.management.OperatingSystemMXBean;
import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.PortConfig;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What a broker serves, where and to whom.
 *
 * @param interfaceName the interface, as the backend names it
 * @param backend the name of the backend that moves its frames
 * @param socket where clients connect
 * @param listeningDescriptor a socket that listens there already, or {@link #NO_DESCRIPTOR}
 * @param rights who may take which ports
 * @param addresses addresses that are the clients' next to the interface's own
 * @param idleMode what the broker's loop does when there is nothing to do; not INVOKER
 * @param memoryBytesMax the most memory for rings, of which one user who is not root gets half
 * @param userSharePercent of a core, what the requests of each user who is not root get
 * @param port the frames, rings and queues of the interface's port
 */
public record BrokerConfig(
        String interfaceName,
        String backend,
        Path socket,
        int listeningDescriptor,
        PortRights rights,
        List<InetAddress> addresses,
        IdleMode idleMode,
        long memoryBytesMax,
        int userSharePercent,
        PortConfig port) {
    /** For a broker that makes its socket itself. */
    public static final int NO_DESCRIPTOR = -1;

    /**
     * What the requests of a user get of a core by default: of two cores a fortieth, which others do not miss, and some
     * hundred connections to other hosts per second in the long run.
     */
    public static final int USER_SHARE_PERCENT_DEFAULT = 5;

    /** A whole core. */
    public static final int USER_SHARE_PERCENT_MAX = 100;

    /** Half of it holds the rings of two clients, and those between them. */
    static final long MEMORY_BYTES_MIN = 64_000_000;

    /** Of the machine's memory, what rings may have unless said otherwise. */
    private static final int MEMORY_PART = 4;

    /** The first behind those of standard input, output and error. */
    private static final int ACTIVATED_DESCRIPTOR = 3;

    private static final Path FOLDER = Path.of("/run/weir");

    public BrokerConfig {
        addresses = List.copyOf(addresses);
        if (memoryBytesMax < MEMORY_BYTES_MIN) {
            throw new ConfigException("memory=" + memoryBytesMax + " is too little for two clients and rings between"
                    + " them; give it " + MEMORY_BYTES_MIN + " bytes or more");
        }
        if (userSharePercent < 1 || userSharePercent > USER_SHARE_PERCENT_MAX) {
            throw new ConfigException("userShare=" + userSharePercent + " is no share of a core; give it 1 to "
                    + USER_SHARE_PERCENT_MAX + " percent");
        }
        if (idleMode == IdleMode.INVOKER) {
            throw new ConfigException("idleMode=INVOKER leaves the loop to an application, and a broker has its own"
                    + " thread; use BACK_OFF or BUSY_SPIN");
        }
    }

    /** {@return what rings may have by default: a quarter of the memory of this machine or its container} */
    public static long memoryBytesMaxDefault() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return Math.max(MEMORY_BYTES_MIN, system.getTotalMemorySize() / MEMORY_PART);
    }

    /** {@return where a broker of this interface listens, unless said otherwise} */
    public static Path socketOf(String interfaceName) {
        return FOLDER.resolve(interfaceName.replace('/', '_') + ".sock");
    }

    /**
     * {@return the listening socket that a service manager has opened for this process, as systemd does with {@code
     * ListenSequentialPacket=}, or {@link #NO_DESCRIPTOR}}
     *
     * @param environment the process's, in which the manager names the socket
     */
    public static int activatedDescriptor(Map<String, String> environment, long processId) {
        String count = environment.get("LISTEN_FDS");
        if (count == null || !Long.toString(processId).equals(environment.get("LISTEN_PID"))) {
            return NO_DESCRIPTOR;
        }
        if (!count.equals("1")) {
            throw new ConfigException(
                    "LISTEN_FDS=" + count + ": a broker takes one socket; give its unit one ListenSequentialPacket=");
        }
        return ACTIVATED_DESCRIPTOR;
    }
}
