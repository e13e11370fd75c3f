package io.weir.nic.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.nic.Errno;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.testing.Ports;
import io.weir.nic.xdp.AfXdp;
import io.weir.transport.frame.FramePool;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link NapiDeferral} with the NAPI that a veth has while an XDP program is in its driver. */
@LiveTest
class NapiDeferralLiveTest {
    private static final int NAPI_GET = 11;
    private static final int INTERFACE_INDEX = 1;
    private static final int ID = 2;
    private static final int DEFER_COUNT = 5;
    private static final int FLUSH_NANOS = 6;
    private static final int NANOS = 7_000_000;

    private final FramePool pool = new FramePool(2048, 2048, true);

    @Test
    void begin_endAndClose_kernelHasItAndForgetsIt() throws Exception {
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(pool)) {
            var port = xdp.open(Ports.host(hosts.a()).build());
            try (NapiDeferral deferral = hosts.a().call(NapiDeferral::open)) {
                deferral.choose(onlyNapi(hosts).attributeInt(ID, 0), NANOS);
                assertSettings(0, 0, hosts);
                assertEquals(0, deferral.begin());
                assertSettings(1, NANOS, hosts);
                assertEquals(0, deferral.end());
                assertSettings(0, 0, hosts);
                assertEquals(0, deferral.begin());
                port.close();
                assertEquals(0, napis(hosts).size(), "a veth without a program has none");
                assertEquals(-Errno.ENOENT.number(), deferral.begin());
            }
        }
    }

    private static void assertSettings(int count, int nanos, TwoHosts hosts) throws Exception {
        NetlinkMessage napi = onlyNapi(hosts);
        assertEquals(count, napi.attributeInt(DEFER_COUNT, -1));
        assertEquals(nanos, napi.attributeInt(FLUSH_NANOS, -1));
    }

    private static NetlinkMessage onlyNapi(TwoHosts hosts) throws Exception {
        List<NetlinkMessage> napis = napis(hosts);
        assertEquals(1, napis.size());
        return napis.get(0);
    }

    private static List<NetlinkMessage> napis(TwoHosts hosts) throws Exception {
        int index = TwoHosts.facts(hosts.a()).index();
        return hosts.a().call(() -> {
            try (NetlinkSocket socket = NetlinkSocket.generic()) {
                NetlinkRequest request = NetdevFamily.find(socket)
                        .request(NAPI_GET, NetlinkRequest.FLAG_DUMP)
                        .attribute(INTERFACE_INDEX, index);
                return socket.ask(request, NetdevFamily.BODY_BYTES, "list receive work");
            }
        });
    }
}
