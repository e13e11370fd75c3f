package io.weir.transport.protocol.credit;

import io.weir.pacer.CreditShape;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.Tunable;
import io.weir.transport.protocol.Values;
import io.weir.transport.protocol.credit.CreditPortConfig.Drop;
import io.weir.transport.wire.Ethernet;
import java.util.List;

/**
 * How a port is to treat credits, whatever its link: the link's rate and MTU make a meter of it.
 *
 * @param values the value of each parameter
 */
public record CreditSettings(Values values) implements Tunable<CreditSettings> {
    /** What files call the block. */
    public static final String KEY = "credits";
    /** What the block does. */
    public static final String MEANING = "How credits are limited.";

    /** What the meter charges, and against which rate. */
    public static final Parameter<CreditModel> MODEL = Parameter.choice(
            "model",
            CreditModel.EXACT,
            "what the meter charges: exact, each credit and the largest frame that it permits, against"
                    + " the link less the creditless share; paper and authors, the credit alone, against 84/(84 +"
                    + " 1538) and mean/(mean + 1538) of the link (section 3.1); off has no meter");
    /** The share of the link that the exact model leaves to frames without a credit. */
    public static final Parameter<Long> CREDITLESS = Parameter.ppm(
                    "creditless",
                    10_000,
                    "the share of the link for frames without a credit, such as handshakes and acknowledgements")
            .within(0, 999_999)
            .onlyWith(MODEL, CreditModel.EXACT);
    /** The meter's depth. */
    public static final Parameter<Long> BURST =
            metered(Parameter.count("burst", 2, 1, 10_000, "the meter's depth in credits (section 3.1: 2)"));
    /** The queue's capacity. */
    public static final Parameter<Long> QUEUE = metered(Parameter.count(
            "queue",
            8,
            1,
            10_000,
            "the credit queue's length in smallest credits (section 3.1: 4 to 8), with room for the largest"));
    /** Which credit goes when the queue is full. */
    public static final Parameter<Drop> DROP = metered(Parameter.choice(
            "drop", Drop.RANDOM, "the credit that a full queue drops: tail, the arriving one; random, any"));
    /** The shortest credit on the wire. */
    public static final Parameter<Long> SMALLEST =
            metered(Parameter.bytes("smallest", 84, "the shortest credit, counted as on the wire (section 3.1: 84 B)")
                    .within(84, 1_538));
    /** The longest credit on the wire. */
    public static final Parameter<Long> LARGEST = metered(Parameter.bytes(
                    "largest",
                    92,
                    "the longest credit, counted as on the wire: no shorter than smallest (section 3.1: 92 B)")
            .within(84, 1_538)
            .notBelow(SMALLEST));
    /** The meter's rate, if it is not the model's. */
    public static final Parameter<Long> RATE = metered(
            Parameter.optionalBps("rate", 1_000, "the meter's rate in place of the model's: at most the link's"));

    /** What a port does by default. */
    public static final CreditSettings DEFAULT = new CreditSettings(
            Values.usual(KEY, List.of(MODEL, CREDITLESS, BURST, QUEUE, DROP, SMALLEST, LARGEST, RATE)));

    private static final List<CreditSettings> PRESETS = List.of(
            DEFAULT,
            DEFAULT.withModel(CreditModel.PAPER).with(DROP, Drop.TAIL),
            DEFAULT.withModel(CreditModel.AUTHORS).with(DROP, Drop.TAIL),
            DEFAULT.withModel(CreditModel.OFF).with(DROP, Drop.TAIL));

    private static <T> Parameter<T> metered(Parameter<T> parameter) {
        return parameter.onlyWith(MODEL, CreditModel.EXACT, CreditModel.PAPER, CreditModel.AUTHORS);
    }

    @Override
    public CreditSettings withValues(Values changed) {
        return new CreditSettings(changed);
    }

    /** {@return the usual settings of each model} */
    @Override
    public List<CreditSettings> presets() {
        return PRESETS;
    }

    /** Fails if the queue has no room for the longest credit. */
    @Override
    public void requireConsistent() {
        if (queueCredits() * smallestBytes() < largestBytes()) {
            throw new ConfigException("queue: " + queueCredits() + " (of " + smallestBytes()
                    + " B) holds no credit of " + largestBytes() + " B; write "
                    + (largestBytes() + smallestBytes() - 1) / smallestBytes() + " or more");
        }
    }

    /** {@return these settings with another model, and nothing else that is usual for it} */
    public CreditSettings withModel(CreditModel newModel) {
        return with(MODEL, newModel);
    }

    /** {@return what the meter charges} */
    public CreditModel model() {
        return get(MODEL);
    }

    /** {@return the share of the link that the exact model leaves to frames without a credit} */
    public int creditlessPpm() {
        return (int) whole(CREDITLESS);
    }

    /** {@return the meter's depth} */
    public int burstCredits() {
        return (int) whole(BURST);
    }

    /** {@return how many of the smallest credits the queue holds} */
    public int queueCredits() {
        return (int) whole(QUEUE);
    }

    /** {@return which credit goes when the queue is full} */
    public Drop drop() {
        return get(DROP);
    }

    /** {@return the shortest credit on the wire} */
    public int smallestBytes() {
        return (int) whole(SMALLEST);
    }

    /** {@return the longest credit on the wire} */
    public int largestBytes() {
        return (int) whole(LARGEST);
    }

    /** {@return the meter's rate, or 0 for the model's} */
    public long rateBps() {
        return whole(RATE);
    }

    /** {@return the meter and queue of a port, or null when it has none} */
    public CreditPortConfig toConfig(long linkRateBps, int mtuBytes) {
        CreditShape shape = CreditShape.permitting(mtuBytes + Ethernet.FRAMING_BYTES)
                .withWireBytes(smallestBytes(), largestBytes());
        return switch (model()) {
            case OFF -> null;
            case EXACT ->
                adjust(
                        CreditPortConfig.exact(linkRateBps, shape, creditlessPpm(), burstCredits()),
                        (long) burstCredits() * (largestBytes() + shape.dataWireBytesMax()));
            case PAPER -> adjust(CreditPortConfig.paper(linkRateBps, shape), meterDepthBytes());
            case AUTHORS -> adjust(CreditPortConfig.authors(linkRateBps, shape), meterDepthBytes());
        };
    }

    private long meterDepthBytes() {
        return Math.max((long) burstCredits() * smallestBytes(), largestBytes());
    }

    private CreditPortConfig adjust(CreditPortConfig byModel, long burstBytes) {
        CreditPortConfig config = byModel.withBurstBytes(burstBytes)
                .withQueueBytesMax(queueCredits() * smallestBytes())
                .withDrop(drop());
        return rateBps() > 0 ? config.withRateBps(rateBps()) : config;
    }
}
