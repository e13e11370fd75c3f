package io.weir.nic.xdp;

import io.weir.nic.NicException;

/**
 * One queue of a port with the socket beneath it and the record of what it was lent: what opens and closes together.
 */
final class PortSocket implements AutoCloseable {
    private final XskSocket socket;
    private final Umem umem;
    private final short holder;
    private final XskQueue queue;

    private PortSocket(XskSocket socket, AfXdpConfig config, Umem umem, DeviceStamps stamps) {
        this.socket = socket;
        this.umem = umem;
        this.holder = umem.join();
        this.queue = new XskQueue(socket, config, umem, holder, stamps);
    }

    /**
     * {@return a socket, not bound yet, whose fill ring is full; {@code stamps} is null where the device gives none}
     */
    static PortSocket open(AfXdpConfig config, Umem umem, DeviceStamps stamps) throws NicException {
        return new PortSocket(XskSocket.open(config), config, umem, stamps);
    }

    XskSocket socket() {
        return socket;
    }

    XskQueue queue() {
        return queue;
    }

    /** Closes the socket; every frame that it was lent is back in the pool then. */
    @Override
    public void close() {
        umem.forget(socket);
        socket.close();
        queue.close();
        umem.leave(holder);
    }
}
