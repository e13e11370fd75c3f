package io.weir.nic.broker;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.Platform;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.PortConfig;
import io.weir.transport.wire.Ethernet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A broker's interface, for {@link io.weir.transport.socket.Transport#open(String)}: for processes without privileges.
 * The interface's name is that of the broker's, whose socket is then looked for in {@code /run/weir}, or the path of
 * the socket.
 */
public final class BrokerBackend implements Backend {
    /** By what the backend is asked for. */
    public static final String NAME = "broker";

    private static final int LINE_BYTES = 64;
    private static final int SLOT_BYTES_MAX = 65_536;

    /** Frames that a host may hold at once: replies, and credits that a pause has gathered. */
    private static final int FRAMES_HELD = 1_024;

    /** For the service loader. */
    public BrokerBackend() {}

    @Override
    public String name() {
        return NAME;
    }

    /**
     * {@return whether a broker listens at the interface's usual socket, and is one of the interface that this process
     * sees by that name, if it sees one} In another network namespace there may be another interface of the name.
     */
    @Override
    public boolean isOffered(String interfaceName) {
        Path socket = socketOf(interfaceName);
        if (!Files.exists(socket)) {
            return false;
        }
        try (BrokerConnection connection = BrokerConnection.connect(socket)) {
            NetworkInterface seen = isPath(interfaceName) ? null : NetworkInterface.getByName(interfaceName);
            if (seen == null) {
                return true;
            }
            BrokerConnection.Welcome welcome = connection.hello();
            Libc.close(welcome.memory());
            Libc.close(welcome.bell());
            return macAddress(seen) == welcome.macAddress();
        } catch (IOException e) {
            // A broker that refuses this process has the queues all the same: opening tells why it does.
            return !(e instanceof NicException refusal && refusal.is(Errno.ECONNREFUSED));
        }
    }

    @Override
    public Opened open(String interfaceName, PortConfig config, List<InetAddress> furtherAddresses) throws IOException {
        config.requireNoXdp(NAME);
        return open(interfaceName, furtherAddresses, welcome -> newPool(config.frameCountOrDefault(), welcome));
    }

    @Override
    public NetInterface open(
            String interfaceName, FramePool pool, PortConfig config, List<InetAddress> furtherAddresses)
            throws IOException {
        config.requireNoXdp(NAME);
        return open(interfaceName, furtherAddresses, welcome -> pool).netInterface();
    }

    /**
     * {@return a pool in the memory of {@code frameCount} frames of the interface} Frames between clients are longer.
     * Each frame is copied at once, so that few are held, and fewer long ones do.
     */
    private static FramePool newPool(int frameCount, BrokerConnection.Welcome welcome) {
        int slotBytes = slotBytes(frameBytesMax(welcome));
        long memoryBytes = (long) frameCount * slotBytes(welcome.layout().frameBytesMax());
        return new FramePool((int) Math.max(Math.min(frameCount, FRAMES_HELD), memoryBytes / slotBytes), slotBytes);
    }

    /** Finds the pool for what a broker gives. */
    @FunctionalInterface
    private interface PoolOf {
        FramePool make(BrokerConnection.Welcome welcome);
    }

    private static Opened open(String interfaceName, List<InetAddress> furtherAddresses, PoolOf pools)
            throws IOException {
        Platform.require();
        if (!furtherAddresses.isEmpty()) {
            throw new ConfigException("addresses=" + furtherAddresses
                    + " cannot be added by a broker's client; give them to the broker: weir broker --address");
        }
        BrokerConnection connection = BrokerConnection.connect(socketOf(interfaceName));
        BrokerConnection.Welcome welcome = null;
        boolean isOpened = false;
        try {
            welcome = connection.hello();
            FramePool pool = pools.make(welcome);
            int neededBytes = frameBytesMax(welcome);
            if (pool.frameCapacityBytes() < neededBytes) {
                Libc.close(welcome.memory());
                Libc.close(welcome.bell());
                throw new NicException("frames of the pool have " + pool.frameCapacityBytes() + " bytes, and those of "
                        + welcome.interfaceName() + "'s clients up to " + neededBytes
                        + "; make the pool of slots of " + slotBytes(neededBytes));
            }
            Opened opened = new Opened(BrokerInterface.open(connection, welcome, pool), pool);
            isOpened = true;
            return opened;
        } finally {
            if (!isOpened) {
                connection.close();
            }
        }
    }

    private static Path socketOf(String interfaceName) {
        return isPath(interfaceName) ? Path.of(interfaceName) : BrokerConfig.socketOf(interfaceName);
    }

    /** {@return the Ethernet address in the low 48 bits, or 0 if there is none} */
    private static long macAddress(NetworkInterface netInterface) throws IOException {
        byte[] bytes = netInterface.getHardwareAddress();
        long address = 0;
        for (int i = 0; bytes != null && i < bytes.length; i++) {
            address = (address << Byte.SIZE) | (bytes[i] & 0xFF);
        }
        return address;
    }

    private static boolean isPath(String interfaceName) {
        return interfaceName.indexOf('/') >= 0;
    }

    /** {@return the longest frame to or from the broker or another client} */
    private static int frameBytesMax(BrokerConnection.Welcome welcome) {
        return Math.max(welcome.layout().frameBytesMax(), welcome.memoryMtuBytes() + Ethernet.HEADER_BYTES);
    }

    /** {@return an odd number of cache lines, which spreads frames' headers over a cache's sets} */
    private static int slotBytes(int frameBytesMax) {
        int lines = (frameBytesMax + LINE_BYTES - 1) / LINE_BYTES | 1;
        return Math.min(lines * LINE_BYTES, SLOT_BYTES_MAX);
    }

    @Override
    public int frameCapacityBytes(String interfaceName) throws IOException {
        try (BrokerConnection connection = BrokerConnection.connect(socketOf(interfaceName))) {
            BrokerConnection.Welcome welcome = connection.hello();
            Libc.close(welcome.memory());
            Libc.close(welcome.bell());
            return slotBytes(frameBytesMax(welcome));
        }
    }
}
