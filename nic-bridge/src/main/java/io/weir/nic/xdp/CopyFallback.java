package io.weir.nic.xdp;

import io.weir.nic.NicException;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.NetNamespace;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens a port's sockets again so that the kernel copies their frames, for a driver whose zero-copy turned out not to
 * hand over whole frames. The thread that owns the port calls it; what is on its way is lost as on a wire, and the
 * program and what it takes stay.
 */
final class CopyFallback {
    /** Why the port copies from then on. */
    static final String REASON =
            "zero-copy handed over frames in pieces that were not asked for, so that frames are copied";

    private final AfXdpConfig config;
    private final InterfaceFacts device;
    private final Umem umem;
    private final PortProgram program;
    private final DeviceStamps stamps;
    private final boolean stampsDepartures;
    /** The receive queues, in the order of the sockets. */
    private final List<Integer> queues;

    CopyFallback(
            AfXdpConfig config,
            InterfaceFacts device,
            Umem umem,
            PortProgram program,
            StampPlan plan,
            DeviceStamps stamps,
            List<Integer> queues) {
        this.config = config.copying();
        this.device = device;
        this.umem = umem;
        this.program = program;
        this.stamps = stamps;
        this.stampsDepartures = plan.transmit();
        this.queues = List.copyOf(queues);
    }

    /** {@return sockets for the same queues, bound and fed; the sockets before them are closed first} */
    List<PortSocket> reopen(List<PortSocket> before) throws NicException {
        before.forEach(PortSocket::close);
        return NetNamespace.of(config.namespace()).call(this::open);
    }

    private List<PortSocket> open() throws NicException {
        List<PortSocket> opened = new ArrayList<>();
        boolean isOpen = false;
        try {
            for (int queue : queues) {
                PortSocket socket = PortSocket.open(config, umem, stamps);
                opened.add(socket);
                if (device.isVeth()) {
                    socket.socket().limitFramesOnVeth();
                }
                umem.bind(socket.socket(), device, queue, config, stampsDepartures);
                socket.queue().adaptFillLevel();
                program.setSocket(queue, socket.socket());
            }
            isOpen = true;
            return opened;
        } finally {
            if (!isOpen) {
                opened.forEach(PortSocket::close);
            }
        }
    }
}
