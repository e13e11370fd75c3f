package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.nic.NicException;
import io.weir.nic.testing.SinkNode;
import io.weir.nic.testing.UdpFrames;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.SharedHostMac;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link Exchange}: whom it gives what the interface receives. */
@EnabledOnOs(OS.LINUX)
class ExchangeTest {
    private static final int PORT = 7_000;
    private static final long ROUTER_MAC = 0x02_00_00_00_00_09L;

    private final FramePool pool = new FramePool(32, 2048);
    private final SinkNode sink = new SinkNode();
    private final Exchange exchange = new Exchange();

    private void receive(long sourceMac, int port) {
        Frame frame = pool.allocate();
        new UdpFrames(sourceMac, "10.0.0.2", 1, "10.0.0.1").write(frame, 9, 100, port, 1);
        exchange.onFrame(0, frame, 0);
    }

    @ParameterizedTest
    @CsvSource({"7000, 1, 0", "7001, 0, 1"})
    void onFrame_fromTheWire_goesToTheOwnerOfThePort(int port, int delivered, int unclaimed) throws NicException {
        RegionPort[] sides = RegionPairs.open(pool);
        try {
            exchange.takePort(PORT, new Member(3, sides[0], false, () -> {}));
            receive(ROUTER_MAC, port);
            sides[0].flush();
            assertEquals(delivered, sides[1].pollReceive(sink, 0, 8, 0));
            assertEquals(unclaimed, exchange.unclaimedCount());
        } finally {
            sides[1].close();
            sides[0].close();
        }
    }

    @Test
    void onFrame_fromTheWireWithAnAddressOfMemorys_isDroppedSinceAnswersWouldGoToAnotherClient() throws NicException {
        RegionPort[] sides = RegionPairs.open(pool);
        try {
            exchange.takePort(PORT, new Member(3, sides[0], false, () -> {}));
            receive(SharedHostMac.of(4), PORT);
            sides[0].flush();
            assertEquals(0, sides[1].pollReceive(sink, 0, 8, 0));
            assertEquals(1, exchange.unclaimedCount());
            assertEquals(pool.frameCount(), pool.available());
        } finally {
            sides[1].close();
            sides[0].close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2, false, 1",
        "2, true, 1",
        "0x0100_5E00_0001, false, 0",
        "0xFFFF_FFFF_FFFF, false, 0",
        "0xFFFF_FFFF_FFFF, true, 1"
    })
    void pollTransmit_toAGroup_needsTheRight(String destination, boolean mayBroadcast, int sent) throws NicException {
        long mac = Long.decode(destination.replace("_", ""));
        RegionPort[] sides = RegionPairs.open(pool);
        try {
            Member member = new Member(3, sides[0], mayBroadcast, () -> {});
            exchange.add(member);
            exchange.takePort(UdpFrames.SOURCE_PORT, member);
            exchange.setAddresses(List.of(IpAddress.v4(0x0A00_0001)));
            Frame frame = pool.allocate();
            new UdpFrames(1, "10.0.0.1", mac, "10.0.0.2").write(frame, 0, 100, PORT, 1);
            sides[1].transmit(frame);
            sides[1].flush();
            Frame polled = exchange.pollTransmit(0);
            assertEquals(sent, polled == null ? 0 : 1);
            if (polled != null) {
                polled.release();
            }
            assertEquals(1 - sent, exchange.refusedCount());
        } finally {
            sides[1].close();
            sides[0].close();
        }
    }
}
