package io.weir.nic.xdp;

import io.weir.nic.NicException;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.NetNamespace;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What {@link ArrivalWatch} has done about a port's program and its sockets, by system calls of the port's thread. What
 * the kernel refuses counts as nothing seen.
 */
class ArrivalProbe implements ArrivalWatch.Counts {
    private static final Logger LOG = LoggerFactory.getLogger(ArrivalProbe.class);

    private final NetNamespace namespace;
    private final InterfaceFacts device;
    private final PortProgram program;
    /** The receive queues, in the order of the sockets. */
    private final List<Integer> queues;

    ArrivalProbe(NetNamespace namespace, InterfaceFacts device, PortProgram program, List<Integer> queues) {
        this.namespace = namespace;
        this.device = device;
        this.program = program;
        this.queues = List.copyOf(queues);
    }

    @Override
    public long interfaceFrames() {
        try {
            return namespace.call(() -> Interfaces.receivedFrames(device.index()));
        } catch (NicException e) {
            LOG.debug("interface={} does not tell what it received", device.name(), e);
            return 0;
        }
    }

    @Override
    public long withoutSocket() {
        return program.withoutSocket();
    }

    /** Has the program find no sockets. */
    void takeOut() {
        program.beginWithoutSockets(queues);
    }

    /** Has the program find these sockets again. */
    void putBack(List<PortSocket> sockets) throws NicException {
        for (int i = 0; i < sockets.size(); i++) {
            program.setSocket(queues.get(i), sockets.get(i).socket());
        }
        program.endWithoutSockets();
    }

    /** Takes the program out of the driver; it runs behind it from then on. */
    void runGeneric() throws NicException {
        namespace.call(() -> {
            program.moveToGeneric(device);
            return null;
        });
    }
}
