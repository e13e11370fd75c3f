package io.weir.bench.compare.end;

import io.netty.channel.IoHandlerFactory;
import io.weir.netty.WeirIoHandler;
import io.weir.nic.lab.TransportPair;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;

/** Opens Weir's transports with its defaults but for what the task names. */
final class WeirTransports {
    private static final int MTU_BYTES = 1500;

    private WeirTransports() {}

    static Transport open(EndSpec spec) throws IOException {
        return Transport.open(spec.text(EndSpec.INTERFACE), config(spec).build());
    }

    static IoHandlerFactory handlers(EndSpec spec) {
        return WeirIoHandler.newFactory(spec.text(EndSpec.INTERFACE), config(spec));
    }

    /** {@return the ends, joined by memory; the server's address is 10.0.0.2} */
    static TransportPair openPair(EndSpec spec) throws IOException {
        return TransportPair.inMemory(config(spec).build(), (int) spec.number(EndSpec.MTU_BYTES, MTU_BYTES));
    }

    private static TransportConfig.Builder config(EndSpec spec) {
        String name = spec.text(EndSpec.PROTOCOL);
        ProtocolConfig protocol = Catalogue.find(name)
                .orElseThrow(() -> new IllegalArgumentException("this build has no protocol " + name));
        return TransportConfig.builder()
                .backend(spec.text(EndSpec.BACKEND, ""))
                .linkRateBps(spec.number(EndSpec.RATE_BPS, 0))
                .prefer(protocol)
                .scheduling(spec.scheduling().config(spec.isServer()));
    }
}
