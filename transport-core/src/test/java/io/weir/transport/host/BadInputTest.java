package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.testing.FrameMutator;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import io.weir.transport.wire.CreditHeader;
import io.weir.transport.wire.DataHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Bad input from the network: whatever comes, a {@link HostStack} does not throw, leak, or answer with more than it
 * got.
 */
class BadInputTest {
    private static final int FRAMES = 120_000;
    private static final int FRAMES_PER_CONNECTION = 500;

    private final SeededRandom random = new SeededRandom(20_260_101);
    private final FrameMutator mutator = new FrameMutator(random.split());
    private final FramePool wire = new FramePool(8, 2048, true);

    /** {@return every kind of frame that a peer can send, with the right tag} */
    private List<Function<PeerFrames, Frame>> kinds() {
        long credit = random.nextInt(40);
        long offset = random.nextInt(20_000);
        int bytes = random.nextInt(1_424);
        int flags = random.nextInt(8);
        long number = random.nextInt(60);
        int frames = random.nextIntInclusive(1, CreditHeader.FRAMES_MAX);
        return List.of(
                peer -> peer.open(flags, offset),
                PeerFrames::challenge,
                peer -> peer.accept(offset, bytes),
                peer -> peer.credit(credit, offset, flags),
                peer -> peer.credit(credit, 0, flags),
                peer -> peer.credit(credit, 0, CreditHeader.withFrames(flags & 1, frames)),
                peer -> peer.data(credit, offset, bytes, flags & DataHeader.FLAG_FIN, bytes),
                peer -> peer.data(credit, 0, bytes, 0, bytes),
                peer -> peer.dataWithAck(credit, offset, bytes / 2, bytes, number),
                peer -> peer.dataWithAck(credit, 0, bytes / 2, 0, number, offset + 1, offset + 1 + bytes),
                peer -> peer.dataWithCredit(credit, offset, bytes / 2, number, frames),
                peer -> peer.ack(offset, bytes, number),
                peer -> peer.ack(0, offset, number, offset + 1, offset + 1 + bytes),
                peer -> peer.request(offset, credit),
                peer -> peer.stop(credit),
                peer -> peer.end(offset),
                peer -> peer.reset(flags));
    }

    @Test
    void onFrame_mutatedFramesOfALiveConnection_neverThrowsNorLeaks() {
        int received = 0;
        while (received < FRAMES) {
            boolean isInitiator = random.nextInt(2) == 0;
            int creditFrames = random.nextInt(2) == 0 ? 1 : CreditHeader.FRAMES_MAX;
            try (Script script = new Script(builder -> builder.creditFramesMax(CreditHeader.FRAMES_MAX))
                    .peerCreditFrames(creditFrames)) {
                script.app().takeAnything();
                if (random.nextInt(2) == 0) {
                    script.peerTakesRiders();
                }
                if (isInitiator) {
                    script.establishFromHost(30_000, 20_000);
                } else {
                    script.establishFromPeer(30_000);
                }
                for (int i = 0; i < FRAMES_PER_CONNECTION; i++) {
                    receiveMutated(script);
                    received++;
                }
            }
        }
        assertTrue(received >= FRAMES);
    }

    private void receiveMutated(Script script) {
        List<Function<PeerFrames, Frame>> kinds = kinds();
        Frame frame = kinds.get(random.nextInt(kinds.size())).apply(script.peer());
        if (random.nextInt(20) == 0) {
            mutator.randomize(frame);
        } else {
            mutator.mutate(frame);
        }
        Counters counters = script.host().counters();
        long drops = counters.drops();
        long frames = counters.get(CounterId.FRAMES_RECEIVED);
        script.host().onFrame(0, frame, script.host().nowNanos());
        assertEquals(frames + 1, counters.get(CounterId.FRAMES_RECEIVED));
        long dropped = counters.drops() - drops;
        assertTrue(dropped == 0 || dropped == 1, "a frame is dropped for one reason, not " + dropped);
        script.after(random.nextInt(20_000)).forgetSent();
        script.history().clear();
        script.app().takeEvents();
    }

    @Test
    void onFrame_noise_isAlwaysDroppedForOneReason() {
        try (Script script = new Script().listen()) {
            for (int i = 0; i < FRAMES / 4; i++) {
                Frame frame = wire.allocate();
                mutator.randomize(frame);
                long drops = script.host().counters().drops();
                script.host().onFrame(0, frame, script.host().nowNanos());
                assertEquals(drops + 1, script.host().counters().drops());
                assertEquals(wire.frameCount(), wire.available());
            }
            script.sendsNothing();
        }
    }

    @Test
    void onFrame_openingsWithoutProof_areNeverAnsweredWithMore() {
        List<SentFrame> openings = new ArrayList<>();
        try (Script script = new Script().listen()) {
            for (int flags = 0; flags < 8; flags++) {
                int all = flags;
                openings.add(script.record(peer -> peer.open(all, 5_000)));
            }
            for (int i = 0; i < FRAMES / 4; i++) {
                Frame frame = openings.get(random.nextInt(openings.size())).replay(wire);
                mutator.mutate(frame);
                int caused = Math.max(frame.length(), Frame.LENGTH_BYTES_MIN);
                script.host().onFrame(0, frame, script.host().nowNanos());
                script.after(1_000);
                int answered =
                        script.takeSent().stream().mapToInt(SentFrame::length).sum();
                assertTrue(answered <= caused, answered + " B in answer to " + caused);
                script.history().clear();
                assertEquals(0, script.host().connectionCount(), "the cookie was made with no key of this host");
            }
            script.after(10_000_000_000L).sendsNothing();
            assertEquals(wire.frameCount(), wire.available());
        }
    }
}
