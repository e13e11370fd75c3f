package io.weir.cli.scenario;

import io.weir.cli.unit.Fractions;
import io.weir.cli.yaml.Amounts;
import io.weir.cli.yaml.YamlKey;
import io.weir.cli.yaml.YamlLayer;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.host.ConnectionTimers;
import io.weir.transport.host.QueuedHost;
import io.weir.transport.host.StreamLimits;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Pauses;
import io.weir.transport.scenario.ProcessingDelay;
import io.weir.transport.scenario.StampNoise;
import io.weir.transport.wire.CreditHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The keys that describe a host. */
final class HostBlock {
    static final YamlKey<ProcessingDelay> PROCESSING = new YamlKey<>("processing", HostBlock::processing);
    static final YamlKey<StampNoise> STAMP_NOISE = new YamlKey<>("stampNoise", HostBlock::stampNoise);
    static final YamlKey<Integer> SEND_BUFFER = new YamlKey<>("sendBuffer", HostBlock::bufferBytes);
    static final YamlKey<Integer> RECEIVE_BUFFER = new YamlKey<>("receiveBuffer", HostBlock::bufferBytes);
    static final YamlKey<Integer> ACK_FRAMES =
            new YamlKey<>("ackFrames", value -> (int) value.integer(1, HostBlock.ACK_FRAMES_MAX));
    static final YamlKey<Long> ACK_DELAY = duration("ackDelay");
    static final YamlKey<Long> RETRANSMIT_INITIAL = duration("retransmitInitial");
    static final YamlKey<Long> RETRANSMIT_MIN = duration("retransmitMin");
    static final YamlKey<Long> RETRANSMIT_MAX = duration("retransmitMax");
    static final YamlKey<Long> USER_TIMEOUT = duration("userTimeout");
    static final YamlKey<Integer> CREDIT_FRAMES =
            new YamlKey<>("creditFrames", value -> (int) value.integer(1, CreditHeader.FRAMES_MAX));
    static final YamlKey<Integer> QUEUE = new YamlKey<>("queue", HostBlock::queueFrames);
    /** Read when the host is: a trace may be a file, which is looked up from the scenario's folder. */
    static final YamlKey<YamlValue> PAUSES = new YamlKey<>("pauses", value -> value);

    /** All keys of a host but its name. */
    static final List<YamlKey<?>> KEYS = List.of(
            PROCESSING,
            STAMP_NOISE,
            SEND_BUFFER,
            RECEIVE_BUFFER,
            ACK_FRAMES,
            ACK_DELAY,
            RETRANSMIT_INITIAL,
            RETRANSMIT_MIN,
            RETRANSMIT_MAX,
            USER_TIMEOUT,
            CREDIT_FRAMES,
            QUEUE,
            PAUSES);

    /** The keys of a point of a distribution of processing delays. */
    static final List<String> POINT_KEYS = List.of("fraction", "delay");

    /** The measured distribution that the papers' simulations use. */
    static final String EXPRESSPASS_TESTBED = "expresspass-testbed";

    private static final Pattern QUEUE_FORM = Pattern.compile("FIFO ([1-9][0-9]{0,6})");
    private static final int BUFFER_BYTES_MIN = 4096;
    private static final int ACK_FRAMES_MAX = 1024;
    private static final List<YamlKey<Integer>> STREAM_KEYS = List.of(SEND_BUFFER, RECEIVE_BUFFER, ACK_FRAMES);

    private HostBlock() {}

    private static YamlKey<Long> duration(String name) {
        return new YamlKey<>(name, TimeBlock::positive);
    }

    private static int bufferBytes(YamlValue value) {
        long bytes = Amounts.size(value);
        if (bytes < BUFFER_BYTES_MIN) {
            throw value.refused("\"" + value.text() + "\" is below 4KiB; write that or more");
        }
        return (int) bytes;
    }

    private static int queueFrames(YamlValue value) {
        Matcher matcher = QUEUE_FORM.matcher(value.text());
        int frames = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
        if (frames < 1 || frames > QueuedHost.FRAMES_MAX) {
            throw value.refused("\"" + value.text() + "\" is no queue of a host; write FIFO and 1 to "
                    + QueuedHost.FRAMES_MAX + " frames, as in FIFO 1000");
        }
        return frames;
    }

    /** {@return the host that a layer describes; {@code place} is where what does not fit is refused} */
    static HostSpec read(String name, YamlLayer layer, YamlValue place, PauseBlock pauses) {
        Pauses read = pauses(layer, pauses);
        return place.locate(() -> new HostSpec(
                name,
                layer.get(PROCESSING, ProcessingDelay.NONE),
                layer.get(STAMP_NOISE, StampNoise.NONE),
                streams(layer),
                timers(layer),
                read,
                layer.get(CREDIT_FRAMES, 1),
                layer.get(QUEUE, 0)));
    }

    /** {@return when a host or switch of this layer loses its core} */
    static Pauses pauses(YamlLayer layer, PauseBlock pauses) {
        YamlValue value = layer.get(PAUSES, null);
        return value == null ? Pauses.NONE : pauses.read(value);
    }

    private static StampNoise stampNoise(YamlValue value) {
        long deviationNanos = Amounts.delay(value);
        return value.locate(() -> new StampNoise(deviationNanos));
    }

    /** {@return what a connection needs, or null for the world's default} */
    private static StreamLimits streams(YamlLayer layer) {
        boolean isGiven = STREAM_KEYS.stream().anyMatch(key -> layer.place(key).isPresent());
        StreamLimits usual = StreamLimits.DEFAULT;
        return !isGiven
                ? null
                : StreamLimits.fixed(
                                layer.get(SEND_BUFFER, usual.sendBufferBytes()),
                                layer.get(RECEIVE_BUFFER, usual.receiveBufferBytes()))
                        .withAckFrames(layer.get(ACK_FRAMES, usual.ackFrames()));
    }

    private static ConnectionTimers timers(YamlLayer layer) {
        ConnectionTimers usual = ConnectionTimers.DEFAULT;
        return ConnectionTimers.builder()
                .ackDelayNanos(layer.get(ACK_DELAY, usual.ackDelayNanos()))
                .retransmitNanosInitial(layer.get(RETRANSMIT_INITIAL, usual.retransmitNanosInitial()))
                .retransmitNanosMin(layer.get(RETRANSMIT_MIN, usual.retransmitNanosMin()))
                .retransmitNanosMax(layer.get(RETRANSMIT_MAX, usual.retransmitNanosMax()))
                .userTimeoutNanos(layer.get(USER_TIMEOUT, usual.userTimeoutNanos()))
                .build();
    }

    private static ProcessingDelay processing(YamlValue value) {
        if (!value.isScalar()) {
            List<ProcessingDelay.Point> points = new ArrayList<>();
            for (YamlValue element : value.list()) {
                YamlMap point = element.map();
                point.allowOnly(POINT_KEYS);
                points.add(new ProcessingDelay.Point(
                        Amounts.delay(point.require("delay")),
                        point.require("fraction").parse(Fractions::parsePpm)));
            }
            return value.locate(() -> new ProcessingDelay(points));
        }
        return value.text().equals(EXPRESSPASS_TESTBED)
                ? ProcessingDelay.EXPRESSPASS_TESTBED
                : ProcessingDelay.constant(processingConstant(value));
    }

    private static long processingConstant(YamlValue value) {
        if (!value.text().isEmpty() && Character.isLetter(value.text().charAt(0))) {
            throw value.refused(
                    "\"" + value.text() + "\" is no processing delay; write a duration, as in 1us, a list of"
                            + " points, or " + EXPRESSPASS_TESTBED);
        }
        return Amounts.delay(value);
    }
}
