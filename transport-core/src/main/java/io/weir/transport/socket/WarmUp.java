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
    /**
     * How far the first connections are played, and those later. What happens when a connection opens and closes has to
     * be seen before the compiler takes its choice of branches, so the first ones end soon.
     */
    private static final int FRAMES_PER_CONNECTION_MIN = 128;

    private static final int FRAMES_PER_CONNECTION_MAX = 8_192;

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
        long framesPerConnection = FRAMES_PER_CONNECTION_MIN;
        long startNanos = System.nanoTime();
        while (System.nanoTime() - startNanos < nanosMax) {
            try (Rehearsal rehearsal = Rehearsal.varied(config, protocol)) {
                do {
                    rehearsal.carry(STEP_FRAMES);
                    rehearsal.visit();
                } while (rehearsal.dataFrames() < framesPerConnection && System.nanoTime() - startNanos < nanosMax);
                rehearsal.finish();
                frames += rehearsal.dataFrames();
            }
            framesPerConnection = Math.min(2 * framesPerConnection, FRAMES_PER_CONNECTION_MAX);
        }
        return frames;
    }
}
