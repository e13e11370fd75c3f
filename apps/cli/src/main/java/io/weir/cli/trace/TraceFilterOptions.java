package io.weir.cli.trace;

import io.weir.transport.node.ConfigException;
import io.weir.transport.observation.TraceFilter;
import io.weir.transport.wire.FrameType;
import io.weir.transport.wire.IpAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Option;

/** Which frames are wanted. */
final class TraceFilterOptions {
    private static final int PORT_MAX = 65_535;
    private static final int ENDS_MAX = 2;

    @Option(
            names = "--flow",
            paramLabel = "ADDRESS[:PORT][,ADDRESS[:PORT]]",
            description = {
                "Only frames from or to this end, or between both, either way.",
                "An IPv6 address with a port is written as in [fd00::1]:7000."
            })
    private String flow;

    @Option(
            names = "--port",
            paramLabel = "N",
            split = ",",
            description = "Only frames from or to this UDP port; several with commas between.")
    private List<Integer> ports = new ArrayList<>();

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            split = ",",
            description = "Only frames of this type: credit, data, ack, request, stop, open, challenge, accept, reset.")
    private List<String> types = new ArrayList<>();

    @Option(names = "--drops", description = "Only frames that the host has dropped.")
    private boolean isDropsOnly;

    /** For picocli. */
    TraceFilterOptions() {}

    TraceFilter filter() {
        for (int port : ports) {
            requirePort("--port", Integer.toString(port), port);
        }
        return new TraceFilter(flow == null ? List.of() : ends(), new HashSet<>(ports), types(), isDropsOnly);
    }

    private Set<FrameType> types() {
        Set<FrameType> found = EnumSet.noneOf(FrameType.class);
        for (String name : types) {
            found.add(Arrays.stream(FrameType.values())
                    .filter(type -> type.name().equals(name.strip().toUpperCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> new ConfigException("--type: '" + name + "' is no type of frame; write one of "
                            + Arrays.toString(FrameType.values()).toLowerCase(Locale.ROOT))));
        }
        return found;
    }

    private List<TraceFilter.End> ends() {
        String[] words = flow.split(",", -1);
        if (words.length > ENDS_MAX) {
            throw new ConfigException("--flow: " + flow + " has " + words.length + " ends, and a flow has two");
        }
        return Arrays.stream(words).map(word -> end(word.strip())).toList();
    }

    private static TraceFilter.End end(String word) {
        String address = word;
        String port = "";
        int bracket = word.lastIndexOf(']');
        int colon = word.lastIndexOf(':');
        boolean isBareV6 = bracket < 0 && colon != word.indexOf(':');
        if (colon > bracket && !isBareV6) {
            address = word.substring(0, colon);
            port = word.substring(colon + 1);
        }
        if (address.startsWith("[") && address.endsWith("]")) {
            address = address.substring(1, address.length() - 1);
        }
        try {
            int number = port.isEmpty() ? 0 : Integer.parseInt(port);
            if (!port.isEmpty()) {
                requirePort("--flow", word, number);
            }
            return new TraceFilter.End(IpAddress.parse(address), number);
        } catch (NumberFormatException e) {
            throw new ConfigException(
                    "--flow: '" + word + "' has no port from 1 to " + PORT_MAX + " behind its colon", e);
        } catch (IllegalArgumentException e) {
            if (e instanceof ConfigException) {
                throw e;
            }
            throw new ConfigException("--flow: " + e.getMessage() + "; write 10.0.0.1:7000 or [fd00::1]:7000", e);
        }
    }

    private static void requirePort(String option, String word, int port) {
        if (port < 1 || port > PORT_MAX) {
            throw new ConfigException(option + ": '" + word + "' has no port from 1 to " + PORT_MAX);
        }
    }
}
