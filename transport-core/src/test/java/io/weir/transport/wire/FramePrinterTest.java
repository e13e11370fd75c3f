package io.weir.transport.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.TestNetwork;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link FramePrinter}. */
class FramePrinterTest {
    private final FramePool pool = new FramePool(64, 2048, true);
    private final Path path =
            Path.from(1, TestNetwork.address(1), 40_000).to(2, TestNetwork.address(2), TestNetwork.PORT);
    private final PeerFrames peer = new PeerFrames(pool, path, 1, new UnsafeBuffer(new byte[12]), 2);

    @Test
    void print_everyType_isOneLine() {
        List<String> lines = Stream.of(
                        peer.open(0, 0),
                        peer.open(7, 99),
                        peer.challenge(),
                        peer.accept(1_000, 5),
                        peer.credit(4_294_967_295L, 7, 1),
                        peer.data(3, 100, 50, DataHeader.FLAG_FIN, 9),
                        peer.grantingData(4, 150, 50, 4_294_967_295L),
                        peer.ack(10, 20, 1, 30, 40, 50, 70),
                        peer.request(8, 3),
                        peer.stop(3),
                        peer.reset(2))
                .map(FramePrinter::print)
                .toList();
        assertEquals(
                List.of(
                        "OPEN backlog=0",
                        "OPEN cookie token request backlog=99",
                        "CHALLENGE",
                        "ACCEPT protocol=1 window=1000 backlog=5",
                        "CREDIT 4294967295 ack=7 standing",
                        "DATA [100,150) FIN credit=3 backlog=9",
                        "DATA [150,200) credit=4 backlog=0 grants=4294967295",
                        "ACK 10 window=20 [30,40) [50,70)",
                        "REQUEST backlog=8 credit<=3",
                        "STOP credit<=3",
                        "RESET reason=2"),
                lines);
    }

    @Test
    void print_marked_saysSo() {
        Frame frame = peer.data(1, 0, 10);
        EcnField.mark(frame);
        assertEquals("DATA [0,10) credit=1 backlog=0 CE", FramePrinter.print(frame));
    }

    @Test
    void print_whatIsNotWeir_saysWhatItIs() {
        assertEquals("UDP 40000>4720, not Weir", FramePrinter.print(peer.typed(12)));
        Frame cut = peer.credit(1);
        cut.setExtent(0, 50);
        assertEquals(
                "frame of 50 B, drop: lengths contradict each other or the frame is truncated",
                FramePrinter.print(cut));
    }
}
