package io.weir.bench.raw;

import io.weir.nic.NicException;
import io.weir.nic.lab.Lab;
import io.weir.nic.lab.LabEnd;
import io.weir.nic.lab.LabLink;
import io.weir.nic.net.NetNamespace;

/** Two namespaces joined by two links: one for the side being measured, one for the C program that it deals with. */
final class RawNetwork implements AutoCloseable {
    static final String DEVICE_0 = "device0";
    static final String DEVICE_1 = "device1";
    static final String PEER_0 = "peer0";
    static final String PEER_1 = "peer1";
    static final String PEER_ADDRESS = "10.81.0.2";

    private final Lab lab;
    private final NetNamespace device;
    private final NetNamespace peer;

    RawNetwork() throws NicException {
        lab = Lab.create();
        try {
            device = lab.namespace("device");
            peer = lab.namespace("peer");
            lab.link(LabLink.between(
                            new LabEnd(device, DEVICE_0, "10.81.0.1/24"),
                            new LabEnd(peer, PEER_0, PEER_ADDRESS + "/24"))
                    .withStaticNeighbours());
            lab.link(LabLink.between(new LabEnd(device, DEVICE_1), new LabEnd(peer, PEER_1)));
        } catch (NicException e) {
            lab.close();
            throw e;
        }
    }

    NetNamespace device() {
        return device;
    }

    NetNamespace peer() {
        return peer;
    }

    @Override
    public void close() {
        lab.close();
    }
}
