package io.weir.nic.testing;

import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpPort;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;

/** What tests do with ports again and again. */
public final class Ports {
    /** The UDP port that host ports of the tests take. */
    public static final int UDP_PORT = 9000;

    private Ports() {}

    /** {@return the beginning of a host's configuration for the interface of {@link TwoHosts}} */
    public static AfXdpConfig.Builder host(NetNamespace namespace) {
        return AfXdpConfig.host(TwoHosts.INTERFACE).namespace(namespace.name()).udpPorts(UDP_PORT);
    }

    /** {@return the beginning of a switch port's configuration for the interface of {@link TwoHosts}} */
    public static AfXdpConfig.Builder switchPort(NetNamespace namespace) {
        return AfXdpConfig.switchPort(TwoHosts.INTERFACE).namespace(namespace.name());
    }

    /** Sends {@code count} datagrams of 100 bytes, marked from {@code firstMark} on, by {@code port}. */
    public static void send(AfXdpPort port, FramePool pool, UdpFrames writer, int count, long firstMark)
            throws Exception {
        for (int i = 0; i < count; i++) {
            Deadline.await("room to transmit", () -> {
                boolean room = port.transmitCapacity() > 0 && pool.available() > 0;
                port.flush();
                return room;
            });
            Frame frame = pool.allocate();
            port.transmit(writer.write(frame, 128, 100, UDP_PORT, firstMark + i));
        }
        port.flush();
    }

    /**
     * Polls {@code port} (and flushes {@code sender}) until {@code sink} has been handed {@code count} frames in all.
     */
    public static void receive(AfXdpPort port, AfXdpPort sender, SinkNode sink, long count) throws Exception {
        Deadline.await(count + " frames", () -> {
            sender.flush();
            port.pollReceive(sink, 0, 64, 1);
            return sink.frameCount() >= count;
        });
    }
}
