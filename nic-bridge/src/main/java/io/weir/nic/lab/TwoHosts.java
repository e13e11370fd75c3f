package io.weir.nic.lab;

import io.weir.nic.NicException;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.xdp.AfXdpBackend;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.transport.runtime.XdpMode;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * Two namespaces, {@code a..} with 10.77.0.1 and {@code b..} with 10.77.0.2, joined by a link called {@code weir0} in
 * both.
 */
public final class TwoHosts implements AutoCloseable {
    /** What the interfaces are called. */
    public static final String INTERFACE = "weir0";
    /** The address of {@code a}. */
    public static final String ADDRESS_A = "10.77.0.1";
    /** The address of {@code b}. */
    public static final String ADDRESS_B = "10.77.0.2";

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final Lab lab;
    private final NetNamespace a;
    private final NetNamespace b;
    private final LabLink link;

    private TwoHosts(Lab lab, NetNamespace a, NetNamespace b, LabLink link) {
        this.lab = lab;
        this.a = a;
        this.b = b;
        this.link = link;
    }

    /** {@return two hosts on a plain link} */
    public static TwoHosts create() throws NicException {
        return create(link -> link);
    }

    /** {@return two hosts on a link changed by {@code change}} */
    public static TwoHosts create(UnaryOperator<LabLink> change) throws NicException {
        Lab lab = Lab.create();
        try {
            int number = NUMBERS.incrementAndGet();
            NetNamespace a = lab.namespace("a" + number);
            NetNamespace b = lab.namespace("b" + number);
            LabLink link = change.apply(LabLink.between(
                    new LabEnd(a, INTERFACE, ADDRESS_A + "/24", "fd77::1/64"),
                    new LabEnd(b, INTERFACE, ADDRESS_B + "/24", "fd77::2/64")));
            lab.link(link);
            return new TwoHosts(lab, a, b, link);
        } catch (NicException | RuntimeException e) {
            lab.close();
            throw e;
        }
    }

    /** {@return two hosts for a measurement: IPv4 only, and neither end asks for the other's Ethernet address} */
    public static TwoHosts createQuiet(int mtuBytes) throws NicException {
        return create(link -> withoutIpv6(link).withMtuBytes(mtuBytes).withStaticNeighbours());
    }

    /** {@return the link without IPv6 addresses, so that nothing is on it but what its users send} */
    public static LabLink withoutIpv6(LabLink link) {
        LabEnd left = new LabEnd(link.left().namespace(), INTERFACE, ADDRESS_A + "/24");
        LabEnd right = new LabEnd(link.right().namespace(), INTERFACE, ADDRESS_B + "/24");
        return link.withEnds(left, right);
    }

    /** {@return the laboratory that the hosts are in} */
    public Lab lab() {
        return lab;
    }

    /** {@return the namespace with 10.77.0.1} */
    public NetNamespace a() {
        return a;
    }

    /** {@return the namespace with 10.77.0.2} */
    public NetNamespace b() {
        return b;
    }

    /** {@return the link between them} */
    public LabLink link() {
        return link;
    }

    /** {@return what the kernel tells about the interface in {@code namespace}} */
    public static InterfaceFacts facts(NetNamespace namespace) throws NicException {
        return namespace.call(() -> Interfaces.find(INTERFACE));
    }

    /** {@return a transport with default settings on the interface in {@code namespace}} */
    public Transport openTransport(NetNamespace namespace) throws IOException {
        return openTransport(namespace, TransportConfig.DEFAULT);
    }

    /** {@return a transport on the interface in {@code namespace}} */
    public Transport openTransport(NetNamespace namespace, TransportConfig config) throws IOException {
        return openTransport(namespace, config, XdpMode.AUTO);
    }

    /** {@return a transport on the interface in {@code namespace}} */
    public Transport openTransport(NetNamespace namespace, TransportConfig config, XdpMode mode) throws IOException {
        AfXdpConfig port = AfXdpConfig.host(INTERFACE)
                .namespace(namespace.name())
                .mode(mode)
                .build();
        return Transport.open(List.of(AfXdpBackend.open(port, config.port().frameCount())), config);
    }

    /** Removes the namespaces; transports are to be closed before. */
    @Override
    public void close() {
        lab.close();
    }
}
