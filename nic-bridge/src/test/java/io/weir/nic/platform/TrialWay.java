package io.weir.nic.platform;

import io.weir.nic.packet.PacketBackend;
import io.weir.nic.xdp.AfXdpBackend;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.transport.runtime.Backend;
import java.io.IOException;
import java.util.List;

/** By what a port is opened. */
enum TrialWay {
    /** The best rung that kernel and driver have. */
    AF_XDP {
        @Override
        Backend.Opened open(TrialEnd end) throws IOException {
            AfXdpConfig config = AfXdpConfig.host(TrialEnd.INTERFACE)
                    .namespace(end.namespace().name())
                    .build();
            return AfXdpBackend.open(config, 0);
        }
    },
    /** What every driver has. */
    AF_PACKET {
        @Override
        Backend.Opened open(TrialEnd end) throws IOException {
            return PacketBackend.openWithPool(end.namespace(), TrialEnd.INTERFACE, FRAME_COUNT, List.of());
        }
    };

    private static final int FRAME_COUNT = 4096;

    /** {@return an end's port, with a pool for it alone} */
    abstract Backend.Opened open(TrialEnd end) throws IOException;
}
