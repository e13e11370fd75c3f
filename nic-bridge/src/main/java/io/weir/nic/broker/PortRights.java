package io.weir.nic.broker;

import io.weir.nic.SmallFile;
import io.weir.transport.node.ConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Which user may take which UDP ports through a broker. Root may take all. Without a file everybody may take those from
 * 1024 on, as from the kernel. With a file, only users that it names may use the broker: the ports of their lines, and
 * {@link #EPHEMERAL_PORT_MIN} to 65535, from which connections that they open take theirs. Only root, and users whose
 * line has the word {@code broadcast}, may send frames to broadcast and multicast addresses.
 *
 * <pre>
 * # user   UDP ports
 * alice    4720-4729 5201
 * 1001     6000 broadcast
 * *        7000-7999
 * </pre>
 */
public final class PortRights {
    /** The first of the ports that every named user may take. */
    static final int EPHEMERAL_PORT_MIN = 49_152;

    private static final int UNPRIVILEGED_PORT_MIN = 1_024;
    private static final int PORT_MAX = 65_535;
    private static final int PORT_DIGITS_MAX = 5;
    private static final int USER_DIGITS_MAX = 9;
    private static final int ROOT = 0;
    private static final String EVERYBODY = "*";
    private static final String BROADCAST = "broadcast";
    /** Stands for that word among the ports. */
    private static final int BROADCAST_BIT = 0;

    /** The ports of users by their numbers. */
    private final Map<Integer, BitSet> portsByUser;

    /** The ports of all users, or null where only named ones may connect. */
    private final BitSet portsOfEverybody;

    private PortRights(Map<Integer, BitSet> portsByUser, BitSet portsOfEverybody) {
        this.portsByUser = portsByUser;
        this.portsOfEverybody = portsOfEverybody;
    }

    /** {@return the rights where no file says otherwise} */
    public static PortRights asFromTheKernel() {
        BitSet ports = new BitSet();
        ports.set(UNPRIVILEGED_PORT_MIN, PORT_MAX + 1);
        return new PortRights(Map.of(), ports);
    }

    /**
     * {@return the rights that a file says}
     *
     * @param userNumbers gives the number of a user by name, or a negative one for an unknown name
     */
    public static PortRights read(Path file, ToIntFunction<String> userNumbers) {
        List<String> lines;
        try {
            lines = SmallFile.read(file).lines().toList();
        } catch (IOException e) {
            throw new ConfigException("rights file " + file + " cannot be read: " + e
                    + "; write one line per user, such as: alice 4720-4729");
        }
        return parse(file.toString(), lines, userNumbers);
    }

    static PortRights parse(String file, List<String> lines, ToIntFunction<String> userNumbers) {
        Map<Integer, BitSet> users = new HashMap<>();
        BitSet everybody = null;
        for (int i = 0; i < lines.size(); i++) {
            String where = file + ":" + (i + 1) + ": ";
            List<String> words = words(lines.get(i));
            if (words.isEmpty()) {
                continue;
            }
            if (words.size() == 1) {
                throw new ConfigException(where + words.get(0) + " has no ports; write them behind the user: "
                        + words.get(0) + " 4720-4729");
            }
            BitSet ports = ports(where, words.subList(1, words.size()));
            if (words.get(0).equals(EVERYBODY)) {
                everybody = union(everybody, ports);
            } else {
                users.merge(userNumber(where, words.get(0), userNumbers), ports, PortRights::union);
            }
        }
        return new PortRights(users, everybody);
    }

    private static List<String> words(String line) {
        int comment = line.indexOf('#');
        String text = comment < 0 ? line : line.substring(0, comment);
        List<String> words = new ArrayList<>(List.of(text.strip().split("\\s+", -1)));
        words.removeIf(String::isEmpty);
        return words;
    }

    private static BitSet union(BitSet some, BitSet others) {
        if (some == null) {
            return others;
        }
        some.or(others);
        return some;
    }

    private static int userNumber(String where, String user, ToIntFunction<String> userNumbers) {
        int number = isNumber(user, USER_DIGITS_MAX) ? Integer.parseInt(user) : userNumbers.applyAsInt(user);
        if (number < 0) {
            throw new ConfigException(
                    where + "user " + user + " is unknown on this host; see: getent passwd, or write the number");
        }
        return number;
    }

    private static boolean isNumber(String text, int digitsMax) {
        return !text.isEmpty()
                && text.length() <= digitsMax
                && text.chars().allMatch(letter -> letter >= '0' && letter <= '9');
    }

    private static BitSet ports(String where, List<String> ranges) {
        BitSet ports = new BitSet();
        for (String range : ranges) {
            if (range.equals(BROADCAST)) {
                ports.set(BROADCAST_BIT);
                continue;
            }
            String[] ends = range.split("-", -1);
            int first = port(ends[0]);
            int last = port(ends[ends.length - 1]);
            if (ends.length > 2 || first < 1 || last < first) {
                throw new ConfigException(where + range + " is no range of UDP ports; write one of 1 to " + PORT_MAX
                        + ", such as 4720 or 4720-4729");
            }
            ports.set(first, last + 1);
        }
        ports.set(EPHEMERAL_PORT_MIN, PORT_MAX + 1);
        return ports;
    }

    /** {@return the port, or -1} */
    private static int port(String text) {
        int port = isNumber(text, PORT_DIGITS_MAX) ? Integer.parseInt(text) : -1;
        return port <= PORT_MAX ? port : -1;
    }

    /** {@return whether the user may use the broker at all} */
    boolean mayConnect(int user) {
        return user == ROOT || portsOfEverybody != null || portsByUser.containsKey(user);
    }

    /** {@return whether the user may take the port} */
    boolean mayTake(int user, int udpPort) {
        return user == ROOT || has(portsOfEverybody, udpPort) || has(portsByUser.get(user), udpPort);
    }

    /** {@return whether the user may send frames to broadcast and multicast addresses} */
    boolean mayBroadcast(int user) {
        return user == ROOT || has(portsOfEverybody, BROADCAST_BIT) || has(portsByUser.get(user), BROADCAST_BIT);
    }

    private static boolean has(BitSet ports, int udpPort) {
        return ports != null && ports.get(udpPort);
    }
}
