package io.weir.cli.scenario;

import io.weir.cli.yaml.YamlValue;
import io.weir.pacer.SeededRandom;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.scenario.Traffic;
import java.util.regex.Pattern;

/**
 * Flows that are the kernel's: TCP sockets next to Weir's flows on the same links. Only where there are kernels, in the
 * lab; it is no protocol that Weir speaks.
 *
 * @param congestionControl the kernel's name of the congestion control, or empty for the kernel's default
 */
public record KernelTcp(String congestionControl) implements ProtocolConfig {
    private static final String TCP = "tcp";
    private static final Pattern NAME = Pattern.compile("tcp(-[a-z0-9_]{1,15})?");

    /** {@return whether a file means the kernel's TCP by this} */
    static boolean isMeantBy(YamlValue value) {
        return value.isScalar() && NAME.matcher(value.text()).matches();
    }

    /** {@return what a file says: tcp, or tcp-NAME with the name of a congestion control} */
    static KernelTcp read(YamlValue value) {
        String name = value.text();
        return new KernelTcp(name.equals(TCP) ? "" : name.substring(TCP.length() + 1));
    }

    /** {@return whether the kernel moves this traffic} */
    public static boolean carries(Traffic traffic) {
        return traffic.protocol() instanceof KernelTcp;
    }

    @Override
    public String preset() {
        return congestionControl.isEmpty() ? TCP : TCP + "-" + congestionControl;
    }

    @Override
    public ProtocolId id() {
        throw new UnsupportedOperationException("kernel TCP is none of Weir's protocols");
    }

    @Override
    public ProtocolFactory newFactory(SeededRandom random) {
        throw new UnsupportedOperationException("kernel TCP is none of Weir's protocols");
    }
}
