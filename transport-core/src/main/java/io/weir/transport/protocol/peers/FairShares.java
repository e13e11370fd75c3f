package io.weir.transport.protocol.peers;

import io.weir.pacer.RateMath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The max-min fair rates of all flows of one network, by progressive filling: the link whose flows get least is filled
 * first, then the next. One instance per network, which all its hosts share. Links and flows are added when a
 * connection begins; a change of who is active is O(links x flows) at the next question.
 */
final class FairShares {
    /** The rate of a trunk that is not there. */
    static final long NO_TRUNK = 0;

    /** Every flow crosses the trunk, which may be without bounds. */
    private static final int TRUNK = 0;

    private final Map<Long, Integer> links = new LinkedHashMap<>();
    private final List<Flow> active = new ArrayList<>();
    private double[] rateBps = new double[8];
    private double[] leftBps = new double[8];
    private int[] pending = new int[8];
    private boolean isStale;

    /** Creates the network, whose flows all cross one link of {@code trunkRateBps}, or {@link #NO_TRUNK}. */
    FairShares(long trunkRateBps) {
        Arrays.fill(rateBps, Double.POSITIVE_INFINITY);
        rateBps[addLink(TRUNK)] = trunkRateBps == NO_TRUNK ? Double.POSITIVE_INFINITY : trunkRateBps;
    }

    /** A flow, by the links that it crosses. */
    static final class Flow {
        private final int upLink;
        private final int downLink;
        private boolean isActive;
        private double shareBps = Double.POSITIVE_INFINITY;

        private Flow(int upLink, int downLink) {
            this.upLink = upLink;
            this.downLink = downLink;
        }
    }

    private int addLink(long key) {
        Integer known = links.get(key);
        if (known != null) {
            return known;
        }
        int link = links.size();
        links.put(key, link);
        if (link == rateBps.length) {
            rateBps = Arrays.copyOf(rateBps, 2 * link);
            Arrays.fill(rateBps, link, 2 * link, Double.POSITIVE_INFINITY);
            leftBps = new double[2 * link];
            pending = Arrays.copyOf(pending, 2 * link);
        }
        return link;
    }

    private int upLink(long mac) {
        return addLink(1 + 2 * mac);
    }

    private int downLink(long mac) {
        return addLink(2 + 2 * mac);
    }

    /** Registers a host with the rate of its link in each direction. */
    void setRate(long mac, long linkRateBps) {
        int up = upLink(mac);
        int down = downLink(mac);
        rateBps[up] = linkRateBps;
        rateBps[down] = linkRateBps;
        isStale = true;
    }

    /** {@return a flow between two hosts, which has nothing to send yet} */
    Flow addFlow(long fromMac, long toMac) {
        return new Flow(upLink(fromMac), downLink(toMac));
    }

    /** The flow has something to send from now on. */
    void begin(Flow flow) {
        if (!flow.isActive) {
            flow.isActive = true;
            active.add(flow);
            isStale = true;
        }
    }

    /** The flow has nothing to send any more. */
    void end(Flow flow) {
        if (flow.isActive) {
            flow.isActive = false;
            active.remove(flow);
            isStale = true;
        }
    }

    /** {@return the rate of an active flow on the wire} */
    long rateBps(Flow flow) {
        if (isStale) {
            isStale = false;
            fill();
        }
        return Math.max(1, (long) Math.min(flow.shareBps, (double) RateMath.RATE_BPS_MAX));
    }

    private void fill() {
        System.arraycopy(rateBps, 0, leftBps, 0, rateBps.length);
        Arrays.fill(pending, 0);
        for (int i = 0; i < active.size(); i++) {
            Flow flow = active.get(i);
            flow.shareBps = Double.POSITIVE_INFINITY;
            count(flow, 1);
        }
        for (int link = narrowest(); link >= 0; link = narrowest()) {
            settle(link, leftBps[link] / pending[link]);
        }
    }

    private int narrowest() {
        int found = -1;
        double leastBps = Double.POSITIVE_INFINITY;
        for (int link = 0; link < links.size(); link++) {
            if (pending[link] > 0 && leftBps[link] / pending[link] < leastBps) {
                leastBps = leftBps[link] / pending[link];
                found = link;
            }
        }
        return found;
    }

    /** Gives every flow of a link that has no rate yet this one. */
    private void settle(int link, double shareBps) {
        for (int i = 0; i < active.size(); i++) {
            Flow flow = active.get(i);
            boolean crosses = link == TRUNK || flow.upLink == link || flow.downLink == link;
            if (crosses && flow.shareBps == Double.POSITIVE_INFINITY) {
                flow.shareBps = shareBps;
                count(flow, -1);
                take(TRUNK, shareBps);
                take(flow.upLink, shareBps);
                take(flow.downLink, shareBps);
            }
        }
    }

    private void count(Flow flow, int amount) {
        pending[TRUNK] += amount;
        pending[flow.upLink] += amount;
        pending[flow.downLink] += amount;
    }

    private void take(int link, double shareBps) {
        leftBps[link] = Math.max(0, leftBps[link] - shareBps);
    }
}
