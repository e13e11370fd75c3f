package io.weir.transport.socket;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Plays the stack before its port opens, so that the virtual machine has compiled most of it when the first frame
 * comes. Without that, a fresh process carries a tenth of its steady rate in its first second. Once a process and
 * protocol; what is still to be compiled then is compiled next to the traffic.
 */
final class WarmUp {
    /** Between two looks at the clock. */
    private static final int STEP_FRAMES = 32;
    /** How far a connection is played, so that opening and closing are played too. */
    private static final int FRAMES_PER_CONNECTION = 8_192;

    private static final Set<ProtocolId> PLAYED = ConcurrentHashMap.newKeySet();

    private WarmUp() {}

    /**
     * Plays the protocol that the configuration prefers, for as long as that allows, unless this process has.
     *
     * @return data frames that were played
     */
    static long play(TransportConfig config) {
        long nanosMax = config.warmUpNanosMax();
        ProtocolConfig protocol = config.protocols().get(0);
        if (nanosMax == 0 || !PLAYED.add(protocol.id())) {
            return 0;
        }
        long frames = 0;
        long startNanos = System.nanoTime();
        while (System.nanoTime() - startNanos < nanosMax) {
            try (Rehearsal rehearsal = Rehearsal.varied(config, protocol)) {
                do {
                    rehearsal.carry(STEP_FRAMES);
                    rehearsal.visit();
                } while (rehearsal.dataFrames() < FRAMES_PER_CONNECTION && System.nanoTime() - startNanos < nanosMax);
                rehearsal.finish();
                frames += rehearsal.dataFrames();
            }
        }
        return frames;
    }
}
