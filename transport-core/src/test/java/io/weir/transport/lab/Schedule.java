package io.weir.transport.lab;

import io.weir.pacer.SeededRandom;
import io.weir.transport.host.StreamLimits;
import io.weir.transport.protocol.PortPolicyConfig;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.ccrp.Ccrp;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.protocol.tfc.Tfc;
import io.weir.transport.protocol.tfc.TfcPort;
import io.weir.transport.switching.EcnConfig;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A network, its traffic and its faults, all of which follow from a seed. Most schedules are small, so that many can be
 * played; a few are not.
 *
 * <p>Faults end at {@link #healNanos}.
 */
final class Schedule {
    static final long MICROSECOND = 1_000;
    static final long MILLISECOND = 1_000_000;
    static final int POOL_FRAMES = 1024;

    /** When connections and half-open connections of before are all gone. */
    private static final long EPILOGUE_NANOS = 40_000 * MILLISECOND;

    private static final int EPILOGUE_FLOWS = 2;

    /** From each multiple on schedules are of the protocol with that code; below the first, of ExpressPass. */
    static final long REACTIVE_SEED = 1_000_000_000L;

    private static final int MARK_FRAMES = 3;

    private static final long[] RATES_BPS = {100_000_000L, 1_000_000_000L, 1_000_000_000L, 10_000_000_000L};
    private static final long[] HEAL_MILLIS = {2, 10, 30, 100};
    private static final int BIG_ONE_IN = 64;
    private static final int GROWING_ONE_IN = 4;
    /**
     * How much longer the links of big schedules are that lose frames: a hundred frames are on their way at once. The
     * first round trips of a longer link may exceed a time-out.
     */
    private static final int LONG_FACTOR = 10;

    private static final int MESSAGES_MAX = 16;
    /** At 1 Gbps two frames take so long. */
    private static final int MESSAGE_GAP_NANOS = 25_000;

    final long seed;
    final Set<Feature> features = EnumSet.noneOf(Feature.class);
    final boolean isBig;
    final int hostCount;
    final boolean isV6;
    final long linkRateBps;
    final long propagationNanos;
    final long healNanos;
    final int frameCount;
    final int backlogMax;
    final long dataQueueBytesMax;
    final ProtocolConfig protocol;
    /** Null for no marks. */
    final EcnConfig ecn;

    /** What the protocol asks of switches. */
    final List<PortPolicyConfig> policies;

    final CreditPortConfig.Drop creditDrop;
    final StreamLimits streams;
    /** For each host how many frames one credit may grant. */
    final int[] creditFramesMax;

    final List<ScheduledFlow> flows = new ArrayList<>();
    /** For each host the direction to it and the one from it. */
    final LinkPlan[][] links;

    final List<Step> steps = new ArrayList<>();
    /** The host that crashes, or -1. */
    final int crashHost;

    final long crashNanos;
    /** The flows that are not the epilogue's. */
    private final int mainFlowCount;

    private final SeededRandom random;

    private Schedule(long seed) {
        this.seed = seed;
        random = new SeededRandom(seed * 7919);
        drawFeatures();
        isBig = random.nextInt(BIG_ONE_IN) == 0;
        hostCount = random.nextInt(5) < 4 ? 2 : random.nextIntInclusive(3, 4);
        isV6 = random.nextInt(4) == 0;
        linkRateBps = RATES_BPS[random.nextInt(RATES_BPS.length)];
        int propagationDrawnNanos = random.nextIntInclusive(500, 50_000);
        boolean isLong = isBig && (features.contains(Feature.LOSS) || features.contains(Feature.BURSTS));
        propagationNanos = isLong ? LONG_FACTOR * propagationDrawnNanos : propagationDrawnNanos;
        healNanos = HEAL_MILLIS[random.nextInt(HEAL_MILLIS.length)] * MILLISECOND;
        frameCount = random.nextInt(4) == 0 ? random.nextIntInclusive(12, 64) : POOL_FRAMES;
        dataQueueBytesMax = features.contains(Feature.LOSS) ? random.nextIntInclusive(2, 6) * 1_538L : 1 << 18;
        backlogMax = features.contains(Feature.SMALL_BACKLOG) ? random.nextIntInclusive(1, 2) : 64;
        Settings drawn = drawProtocol();
        int code = (int) (seed / REACTIVE_SEED);
        protocol = code == 0 ? drawn : ofCode(code);
        ecn = code == 0 ? null : EcnConfig.step(MARK_FRAMES * 1_538L);
        policies = policiesOf(code);
        creditDrop = random.nextInt(2) == 0 ? CreditPortConfig.Drop.TAIL : CreditPortConfig.Drop.RANDOM;
        streams = drawGrowth(
                StreamLimits.fixed(1 << random.nextIntInclusive(12, 15), 1 << random.nextIntInclusive(12, 15))
                        .withGapsMax(random.nextIntInclusive(1, 32))
                        .withFramesInFlightMax(random.nextInt(3) == 0 ? random.nextIntInclusive(1, 8) : 1_024)
                        .withAckFrames(random.nextIntInclusive(1, 16)));
        creditFramesMax = drawCreditFrames();
        drawFlows();
        mainFlowCount = flows.size();
        drawEpilogue();
        links = new LinkPlan[hostCount][2];
        drawLinks();
        drawPauses();
        drawSlowReaders();
        drawMessages();
        crashHost = features.contains(Feature.CRASH) ? random.nextInt(hostCount) : -1;
        crashNanos = random.nextLong(healNanos);
        drawCrash();
        drawPool();
        drawAbort();
    }

    /** A network of two hosts in which nothing goes wrong by itself. */
    private Schedule(Set<Feature> explained, ScheduledFlow flow) {
        seed = 0;
        random = new SeededRandom(0);
        features.addAll(explained);
        isBig = false;
        hostCount = 2;
        isV6 = false;
        linkRateBps = 1_000_000_000L;
        propagationNanos = 10 * MICROSECOND;
        healNanos = 0;
        frameCount = POOL_FRAMES;
        backlogMax = 64;
        dataQueueBytesMax = 1 << 18;
        protocol = ExpressPass.weir();
        ecn = null;
        policies = List.of();
        creditDrop = CreditPortConfig.Drop.TAIL;
        streams = StreamLimits.fixed(1 << 16, 1 << 16)
                .withGapsMax(32)
                .withFramesInFlightMax(1_024)
                .withAckFrames(3);
        creditFramesMax = new int[] {1, 1};
        flows.add(flow);
        mainFlowCount = 1;
        links = new LinkPlan[][] {{LinkPlan.GOOD, LinkPlan.GOOD}, {LinkPlan.GOOD, LinkPlan.GOOD}};
        crashHost = -1;
        crashNanos = 0;
    }

    /**
     * {@return one flow between two hosts, without faults but those that somebody else makes and {@code explained}
     * names}
     */
    static Schedule quiet(Set<Feature> explained, ScheduledFlow flow) {
        return new Schedule(explained, flow);
    }

    /** {@return the schedule of this seed} */
    static Schedule of(long seed) {
        return new Schedule(seed);
    }

    /**
     * From its own generator, so that nothing else of a seed depends on it. In half of the schedules each credit
     * grants one frame.
     */
    private int[] drawCreditFrames() {
        SeededRandom own = new SeededRandom(seed * 7919 + 1);
        int[] frames = new int[hostCount];
        boolean isSingle = own.nextInt(2) == 0;
        for (int i = 0; i < hostCount; i++) {
            frames[i] = isSingle ? 1 : 1 << own.nextIntInclusive(0, 6);
        }
        return frames;
    }

    /**
     * In big schedules, and in some others, windows and buffers begin small and grow, and with them the rings that
     * remember frames in flight. From its own generator, as {@link #drawCreditFrames}.
     */
    private StreamLimits drawGrowth(StreamLimits drawn) {
        SeededRandom own = new SeededRandom(seed * 7919 + 200);
        if (!isBig && own.nextInt(GROWING_ONE_IN) != 0) {
            return drawn;
        }
        int bufferBytes = 1 << own.nextIntInclusive(17, 19);
        return StreamLimits.fixed(bufferBytes, bufferBytes)
                .withBufferBytesInitial(1 << own.nextIntInclusive(12, 14))
                .withGapsMax(drawn.gapsMax())
                .withFramesInFlightMax(drawn.framesInFlightMax())
                .withAckFrames(drawn.ackFrames());
    }

    private void drawFeatures() {
        // A third of the schedules has a single feature, or none: what it does shows better.
        int onePerMany = random.nextInt(3) == 0 ? 16 : random.nextIntInclusive(2, 8);
        for (Feature feature : Feature.values()) {
            if (random.nextInt(onePerMany) == 0) {
                features.add(feature);
            }
        }
    }

    private Settings drawProtocol() {
        return switch (random.nextInt(6)) {
            case 0 -> ExpressPass.paper();
            case 1 -> ExpressPass.authors();
            case 2 -> ExpressPass.paper().named("current rate").with(ExpressPass.CURRENT_RATE_ONLY, true);
            default -> ExpressPass.weir();
        };
    }

    private static ProtocolConfig ofCode(int code) {
        return Catalogue.KINDS.stream()
                .filter(kind -> kind.id().code() == code)
                .findFirst()
                .orElseThrow()
                .usual();
    }

    private static List<PortPolicyConfig> policiesOf(int code) {
        return code == Tfc.KIND.id().code() ? List.of(TfcPort.PART.usual()) : List.of();
    }

    private void drawFlows() {
        int flowCount = random.nextInt(2) == 0 ? 1 : random.nextIntInclusive(1, isBig ? 6 : 3);
        for (int i = 0; i < flowCount; i++) {
            int from = random.nextInt(hostCount);
            int to = (from + 1 + random.nextInt(hostCount - 1)) % hostCount;
            long startNanos = random.nextInt(3) == 0 ? 0 : random.nextLong(healNanos);
            flows.add(new ScheduledFlow(
                    from, to, startNanos, drawSize(), drawSize(), random.nextInt(2) == 0, turnBytes()));
        }
    }

    /** Long after everything: whether the hosts still work, or have lost a place or a number for good. */
    private void drawEpilogue() {
        if (features.contains(Feature.SMALL_BACKLOG) || random.nextInt(8) == 0) {
            ScheduledFlow first = flows.get(0);
            for (int i = 0; i < EPILOGUE_FLOWS; i++) {
                long startNanos = EPILOGUE_NANOS + i * 100L * MILLISECOND;
                flows.add(new ScheduledFlow(
                        first.from(), first.to(), startNanos, drawSize(), drawSize(), i == 0, turnBytes()));
            }
        }
    }

    private long drawSize() {
        return switch (random.nextInt(8)) {
            case 0, 1 -> 0;
            case 2, 3 -> random.nextInt(3_000);
            case 4 -> random.nextInt(isBig ? 400_000 : 40_000);
            default -> random.nextInt(isBig ? 200_000 : 12_000);
        };
    }

    /** From its own generator, so that nothing else of a seed depends on it. Half of the flows converse. */
    private int turnBytes() {
        SeededRandom own = new SeededRandom(seed * 7919 + 2 + flows.size());
        return own.nextInt(2) == 0 ? 0 : own.nextIntInclusive(1_000, 6_000);
    }

    private void drawLinks() {
        LinkFaults faults = new LinkFaults(this, random);
        for (int host = 0; host < hostCount; host++) {
            faults.draw(links[host]);
        }
    }

    private void drawPauses() {
        if (!features.contains(Feature.PAUSES)) {
            return;
        }
        for (int i = random.nextIntInclusive(1, 4); i > 0; i--) {
            long pauseNanos = random.nextIntInclusive(10_000, (int) Math.min(healNanos, 20 * MILLISECOND));
            steps.add(new Step(Step.Kind.PAUSE, random.nextLong(healNanos), random.nextInt(hostCount), -1, pauseNanos));
        }
    }

    /** Readers that take nothing for a while, or little at a time. */
    private void drawSlowReaders() {
        if (!features.contains(Feature.SLOW_READERS)) {
            return;
        }
        for (int i = 0; i < flows.size(); i++) {
            int host =
                    random.nextInt(2) == 0 ? flows.get(i).from() : flows.get(i).to();
            long startNanos = flows.get(i).startNanos();
            int limit = random.nextInt(2) == 0 ? 0 : random.nextInt(2_000);
            long stepNanos = random.nextIntInclusive(50_000, 3_000_000);
            int stepCount = random.nextIntInclusive(1, 10);
            for (int step = 0; step <= stepCount; step++) {
                long amount = step == stepCount ? Integer.MAX_VALUE : limit;
                steps.add(new Step(Step.Kind.READ, startNanos + step * stepNanos, host, i, amount));
            }
        }
    }

    /**
     * Messages that do not wait for answers, about a round trip apart, so that some overtake the credits and reports of
     * those before them. From its own generator, as {@link #turnBytes}.
     */
    private void drawMessages() {
        SeededRandom own = new SeededRandom(seed * 7919 + 100);
        for (int i = 0; i < flows.size(); i++) {
            ScheduledFlow flow = flows.get(i);
            if (flow.turnBytes() == 0 || own.nextInt(4) == 0) {
                continue;
            }
            long atNanos = flow.startNanos();
            int messageCount = own.nextIntInclusive(1, MESSAGES_MAX);
            for (int message = 0; message < messageCount; message++) {
                atNanos += own.nextLong(4 * propagationNanos + MESSAGE_GAP_NANOS);
                int host = own.nextInt(2) == 0 ? flow.from() : flow.to();
                steps.add(new Step(Step.Kind.WRITE, atNanos, host, i, own.nextIntInclusive(1, 6_000)));
            }
        }
    }

    private void drawCrash() {
        if (crashHost >= 0) {
            steps.add(new Step(Step.Kind.CRASH, crashNanos, crashHost, -1, 0));
            long upNanos = crashNanos + random.nextLong(healNanos);
            steps.add(new Step(Step.Kind.RESTART, upNanos, crashHost, -1, 0));
        }
    }

    private void drawPool() {
        if (features.contains(Feature.POOL_EXHAUSTION)) {
            long atNanos = random.nextLong(healNanos);
            steps.add(new Step(Step.Kind.TAKE_FRAMES, atNanos, 0, -1, random.nextInt(4)));
            steps.add(new Step(Step.Kind.GIVE_FRAMES, atNanos + random.nextLong(healNanos), 0, -1, 0));
        }
    }

    private void drawAbort() {
        if (features.contains(Feature.ABORT)) {
            int flow = random.nextInt(mainFlowCount);
            ScheduledFlow plan = flows.get(flow);
            int host = random.nextInt(2) == 0 ? plan.from() : plan.to();
            long atNanos = plan.startNanos() + random.nextLong(healNanos);
            steps.add(new Step(Step.Kind.ABORT, atNanos, host, flow, 0));
        }
    }

    /** {@return whether what may be sent is said by credits} */
    boolean hasCredits() {
        return protocol.id().equals(ExpressPass.KIND.id()) || protocol.id().equals(Ccrp.KIND.id());
    }

    /** {@return when the last fault is over} */
    long lastFaultNanos() {
        long last = healNanos;
        for (Step step : steps) {
            last = Math.max(last, step.atNanos());
        }
        return last;
    }

    /**
     * {@return whether half-open connections that nobody will ever confirm may fill a small backlog when a flow starts}
     */
    boolean mayStarve(ScheduledFlow flow) {
        boolean leavesHalfOpen = features.contains(Feature.ABORT)
                || features.contains(Feature.CRASH)
                || features.contains(Feature.REPLAY)
                || features.contains(Feature.CORRUPTION);
        return leavesHalfOpen && features.contains(Feature.SMALL_BACKLOG) && flow.startNanos() < EPILOGUE_NANOS;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append("seed ")
                .append(seed)
                .append(": ")
                .append(features)
                .append(' ')
                .append(protocol.preset());
        text.append(", ")
                .append(hostCount)
                .append(" hosts, ")
                .append(linkRateBps / 1_000_000)
                .append(" Mbit/s, ");
        text.append(propagationNanos)
                .append(" ns, heals at ")
                .append(healNanos / MILLISECOND)
                .append(" ms, ");
        text.append(frameCount)
                .append(" frames, backlog ")
                .append(backlogMax)
                .append(", ")
                .append(streams);
        text.append("\n  flows ").append(flows).append("\n  steps ").append(steps);
        for (int host = 0; host < hostCount; host++) {
            text.append("\n  to h").append(host).append(' ').append(links[host][0]);
            text.append("\n  from h").append(host).append(' ').append(links[host][1]);
        }
        return text.toString();
    }
}
