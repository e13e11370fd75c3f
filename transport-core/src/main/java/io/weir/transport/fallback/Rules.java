package io.weir.transport.fallback;

import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.catalogue.Catalogue;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What goes over Weir and what over the kernel's TCP: the first rule that matches decides, and where none does it is
 * TCP.
 *
 * <pre>
 * # direction  addresses     ports            way     with weir and prefer
 * connect      10.0.0.0/8    9092,9094-9099   prefer  interface=eth0
 * listen       *             8080             weir    interface=eth0
 * both         db.example    *                tcp
 * </pre>
 *
 * @param all the rules, the first one first
 */
public record Rules(List<Rule> all) {
    private static final Pattern WORD = Pattern.compile("\\S+");
    private static final int WORDS_MIN = 4;
    private static final int PORT_MAX = 65_535;

    public Rules {
        all = List.copyOf(all);
    }

    /**
     * {@return what is done without a file: loopback addresses go over TCP, and everything else over Weir by this
     * interface where it reaches the peer and the peer has it}
     */
    public static Rules of(String interfaceName) {
        List<Rule.Network> loopback =
                List.of(new Rule.Network(address(127, 0, 0, 1), 8), new Rule.Network(loopbackOfIp6(), 128));
        String origin = "interface " + interfaceName;
        return new Rules(List.of(
                new Rule(true, true, loopback, List.of(), Preference.TCP, "", null, origin),
                new Rule(true, true, List.of(), List.of(), Preference.PREFER, interfaceName, null, origin)));
    }

    private static InetAddress address(int... octets) {
        byte[] bytes = new byte[octets.length];
        for (int i = 0; i < octets.length; i++) {
            bytes[i] = (byte) octets[i];
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("an address has 4 or 16 octets", e);
        }
    }

    private static InetAddress loopbackOfIp6() {
        return address(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
    }

    /**
     * {@return the rules of a text, one on each line; from {@code #} on a line is a comment} Names are looked up now.
     *
     * @param source what the text is called in messages
     * @throws RuleException for the first word that is wrong, with its line and column
     */
    public static Rules parse(String source, String text) throws RuleException {
        List<Rule> rules = new ArrayList<>();
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            Line line = new Line(source, i + 1, lines[i]);
            if (!line.words.isEmpty()) {
                rules.add(line.rule());
            }
        }
        return new Rules(rules);
    }

    /** {@return the rule for a connection to {@code remote}, or null where none matches: TCP} */
    public Rule ofConnect(InetSocketAddress remote) {
        return find(remote, true);
    }

    /** {@return the rule for listening at {@code local}, or null where none matches: TCP} */
    public Rule ofListen(InetSocketAddress local) {
        return find(local, false);
    }

    private Rule find(InetSocketAddress address, boolean connects) {
        for (Rule rule : all) {
            if ((connects ? rule.connects() : rule.listens())
                    && rule.matches(address.getAddress(), address.getPort())) {
                return rule;
            }
        }
        return null;
    }

    /** {@return the interfaces that they name} */
    public Set<String> interfaces() {
        return all.stream()
                .map(Rule::interfaceName)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** {@return whether everything goes over TCP} */
    public boolean areAllTcp() {
        return all.stream().allMatch(rule -> rule.preference() == Preference.TCP);
    }

    /** The words of one line, and where they stand. */
    private static final class Line {
        private final String source;
        private final int number;
        private final List<String> words = new ArrayList<>();
        private final List<Integer> columns = new ArrayList<>();

        Line(String source, int number, String text) {
            this.source = source;
            this.number = number;
            int comment = text.indexOf('#');
            Matcher matcher = WORD.matcher(comment < 0 ? text : text.substring(0, comment));
            while (matcher.find()) {
                words.add(matcher.group());
                columns.add(matcher.start() + 1);
            }
        }

        private RuleException wrong(int word, String problem) {
            int column = word < columns.size()
                    ? columns.get(word)
                    : columns.get(columns.size() - 1)
                            + words.get(words.size() - 1).length();
            return new RuleException(source + ":" + number + ":" + column + ": " + problem);
        }

        Rule rule() throws RuleException {
            String direction = words.get(0);
            if (!Set.of("connect", "listen", "both").contains(direction)) {
                throw wrong(0, direction + " is no direction; give connect, listen or both");
            }
            if (words.size() < WORDS_MIN) {
                throw wrong(
                        words.size(),
                        "a rule has a direction, addresses, ports and a way, as in: connect 10.0.0.0/8 * prefer interface=eth0");
            }
            List<Rule.Network> networks = networks(1);
            List<Rule.PortRange> ports = ports(2);
            Preference preference = preference(3);
            String interfaceName = "";
            ProtocolId protocol = null;
            for (int i = WORDS_MIN; i < words.size(); i++) {
                String word = words.get(i);
                if (word.startsWith("interface=") && word.length() > "interface=".length()) {
                    interfaceName = word.substring("interface=".length());
                } else if (word.startsWith("protocol=")) {
                    protocol = protocol(i, word.substring("protocol=".length()));
                } else {
                    throw wrong(i, word + " is unknown; give interface=NAME or protocol=NAME");
                }
            }
            if (preference == Preference.TCP && (protocol != null || !interfaceName.isEmpty())) {
                throw wrong(WORDS_MIN, "tcp is the kernel's: it takes no interface and no protocol");
            }
            if (preference != Preference.TCP && interfaceName.isEmpty()) {
                throw wrong(words.size(), preference + " needs the interface that Weir uses, as in interface=eth0");
            }
            return new Rule(
                    !direction.equals("listen"),
                    !direction.equals("connect"),
                    networks,
                    ports,
                    preference,
                    interfaceName,
                    protocol,
                    source + ":" + number);
        }

        private Preference preference(int word) throws RuleException {
            for (Preference preference : Preference.values()) {
                if (preference.toString().equals(words.get(word))) {
                    return preference;
                }
            }
            throw wrong(word, words.get(word) + " is no way; give weir, prefer or tcp");
        }

        private ProtocolId protocol(int word, String name) throws RuleException {
            List<ProtocolId> known =
                    Catalogue.forRealPorts().stream().map(config -> config.id()).toList();
            for (ProtocolId protocol : known) {
                if (protocol.name().toLowerCase(Locale.ROOT).equals(name)) {
                    return protocol;
                }
            }
            throw wrong(
                    word,
                    "protocol=" + name + " is unknown; give one of "
                            + known.stream()
                                    .map(protocol -> protocol.name().toLowerCase(Locale.ROOT))
                                    .collect(Collectors.joining(", ")));
        }

        private List<Rule.PortRange> ports(int word) throws RuleException {
            List<Rule.PortRange> ranges = new ArrayList<>();
            if (words.get(word).equals("*")) {
                return ranges;
            }
            for (String part : words.get(word).split(",", -1)) {
                int dash = part.indexOf('-');
                int first = port(word, dash < 0 ? part : part.substring(0, dash));
                int last = dash < 0 ? first : port(word, part.substring(dash + 1));
                if (first > last) {
                    throw wrong(word, part + " has its ports in the wrong order; give the lower one first");
                }
                ranges.add(new Rule.PortRange(first, last));
            }
            return ranges;
        }

        private int port(int word, String text) throws RuleException {
            try {
                int port = Integer.parseInt(text);
                if (port >= 0 && port <= PORT_MAX) {
                    return port;
                }
            } catch (NumberFormatException e) {
                // Told below.
            }
            throw wrong(
                    word,
                    "\"" + text + "\" is no port; give numbers up to " + PORT_MAX
                            + ", ranges as in 9000-9010, several with commas, or *");
        }

        private List<Rule.Network> networks(int word) throws RuleException {
            List<Rule.Network> networks = new ArrayList<>();
            String text = words.get(word);
            if (text.equals("*")) {
                return networks;
            }
            int slash = text.indexOf('/');
            String name = slash < 0 ? text : text.substring(0, slash);
            if (name.isEmpty()) {
                throw wrong(word, text + " has no address; give one as in 10.0.0.0/8, a name, or *");
            }
            InetAddress[] found;
            try {
                found = InetAddress.getAllByName(name);
            } catch (UnknownHostException e) {
                throw wrong(word, name + " has no address; is the name right, and does DNS answer?");
            }
            for (InetAddress address : found) {
                int bitsMax = address.getAddress().length * Byte.SIZE;
                networks.add(new Rule.Network(
                        address, slash < 0 ? bitsMax : prefixBits(word, text.substring(slash + 1), bitsMax)));
            }
            return networks;
        }

        private int prefixBits(int word, String text, int bitsMax) throws RuleException {
            try {
                int bits = Integer.parseInt(text);
                if (bits >= 0 && bits <= bitsMax) {
                    return bits;
                }
            } catch (NumberFormatException e) {
                // Told below.
            }
            throw wrong(word, "/" + text + " is no length of a prefix; this address has 0 to " + bitsMax + " bits");
        }
    }
}
