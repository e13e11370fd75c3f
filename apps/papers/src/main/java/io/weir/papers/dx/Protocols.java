package io.weir.papers.dx;

import io.weir.papers.Variant;
import java.util.List;

/** What the paper holds side by side, with what each asks of ports. */
final class Protocols {
    /** A full frame on the wire. */
    static final double FRAME_BYTES = 1_538;

    /** The scenarios' own. */
    static final Variant DX = new Variant("dx", 1, List.of());

    /** DCTCP at 10 Gbps, as section VI-B sets it. */
    static final Variant DCTCP = dctcp(65);

    private Protocols() {}

    /** {@return DCTCP with marks from {@code frames} waiting frames on} */
    static Variant dctcp(int frames) {
        return new Variant("dctcp", 1, List.of("protocol=dctcp", marksFrom("topology", frames)));
    }

    /** {@return the setting by which ports mark from {@code frames} waiting frames on} */
    static String marksFrom(String network, int frames) {
        return network + ".ecn={threshold: " + (long) (frames * FRAME_BYTES) + "B}";
    }
}
