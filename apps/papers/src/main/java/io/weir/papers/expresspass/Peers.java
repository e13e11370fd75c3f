package io.weir.papers.expresspass;

import io.weir.papers.Variant;
import java.util.List;

/** What the paper holds ExpressPass against, on links of 10 Gbps or faster. */
final class Peers {
    private static final int MARKED_FRAMES_AT_10G = 65;
    private static final int FRAME_BYTES = 1_538;

    private Peers() {}

    /**
     * {@return DCTCP as the authors' scripts have it: alpha begins at 0, the first window has the two segments that are
     * ns-2's default, and time-outs are no shorter than ns-2's 200 ms, since the line that should shorten them
     * misspells its variable}
     *
     * @param tenGbps the rate of the links, in 10 Gbps
     */
    static Variant dctcp(int tenGbps) {
        return new Variant(
                "dctcp",
                1,
                List.of(
                        "protocol={preset: dctcp-ns2, initialSegments: 2}",
                        marking(tenGbps),
                        "topology.host={retransmitMin: 200ms, retransmitInitial: 200ms}"));
    }

    /** {@return DCTCP as RFC 8257 and RFC 6928 have it, with time-outs of 2 ms or more} */
    static Variant dctcpOfRfc(int tenGbps) {
        return new Variant("dctcp-rfc", 1, List.of("protocol=dctcp", marking(tenGbps)));
    }

    private static String marking(int tenGbps) {
        return "topology.ecn={threshold: " + tenGbps * MARKED_FRAMES_AT_10G * FRAME_BYTES + "}";
    }

    /** {@return DX; it asks nothing of switches, and the paper says nothing of its parameters} */
    static Variant dx() {
        return new Variant("dx", 1, List.of("protocol=dx"));
    }

    /** {@return RCP, with the gains of its authors} */
    static Variant rcp() {
        return new Variant("rcp", 1, List.of("protocol=rcp", "topology.rcp={}"));
    }

    /**
     * {@return HULL: phantom queues that drain at 95 % of the link and mark from 1.5 KB for each Gbps on, and paced
     * senders}
     */
    static Variant hull(int tenGbps) {
        return new Variant(
                "hull",
                1,
                List.of("protocol=hull", "topology.phantom={drain: 95%, threshold: " + 15 * tenGbps + "KB}"));
    }
}
