package io.weir.nic.xdp;

import io.weir.nic.net.Interfaces;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.NetInterface;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;

/** AF_XDP, for {@link io.weir.transport.socket.Transport#open(String)}: an interface of the process's own namespace. */
public final class AfXdpBackend implements Backend {
    /** By what the backend is asked for. */
    public static final String NAME = "afxdp";

    /** For the service loader. */
    public AfXdpBackend() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public NetInterface open(String interfaceName, FramePool pool, List<InetAddress> furtherAddresses)
            throws IOException {
        return AfXdpInterface.open(
                AfXdpConfig.host(interfaceName).addresses(furtherAddresses).build(), pool);
    }

    @Override
    public int frameCapacityBytes(String interfaceName) throws IOException {
        return AfXdpInterface.slotBytes(Interfaces.findEthernet(interfaceName).mtuBytes());
    }
}
