package io.weir.bench.compare;

import java.util.ArrayList;
import java.util.List;

/** How many bytes had arrived when: samples, between which the rate is taken as steady. */
final class Arrivals {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BITS_PER_BYTE = 8;

    private final long[] timesNanos;
    private final long[] bytes;

    private Arrivals(long[] timesNanos, long[] bytes) {
        this.timesNanos = timesNanos;
        this.bytes = bytes;
    }

    /** {@return the samples of a text of the form {@code time:bytes,time:bytes}} */
    static Arrivals parse(String text) {
        if (text.isEmpty()) {
            return new Arrivals(new long[0], new long[0]);
        }
        String[] samples = text.split(",", -1);
        long[] timesNanos = new long[samples.length];
        long[] bytes = new long[samples.length];
        for (int i = 0; i < samples.length; i++) {
            int colon = samples[i].indexOf(':');
            timesNanos[i] = Long.parseLong(samples[i].substring(0, colon));
            bytes[i] = Long.parseLong(samples[i].substring(colon + 1));
        }
        return new Arrivals(timesNanos, bytes);
    }

    /** {@return how many bytes had arrived at a time} */
    double bytesAt(long nanos) {
        if (timesNanos.length == 0 || nanos - timesNanos[0] <= 0) {
            return 0;
        }
        int last = timesNanos.length - 1;
        if (nanos - timesNanos[last] >= 0) {
            return bytes[last];
        }
        int above = 1;
        while (timesNanos[above] - nanos < 0) {
            above++;
        }
        double part = (double) (nanos - timesNanos[above - 1]) / (timesNanos[above] - timesNanos[above - 1]);
        return bytes[above - 1] + part * (bytes[above] - bytes[above - 1]);
    }

    double bytesBetween(long fromNanos, long untilNanos) {
        return bytesAt(untilNanos) - bytesAt(fromNanos);
    }

    /** {@return payload bits per second between two times} */
    double bpsBetween(long fromNanos, long untilNanos) {
        return bytesBetween(fromNanos, untilNanos) * BITS_PER_BYTE * NANOS_PER_SECOND / (untilNanos - fromNanos);
    }

    /** {@return payload bits per second in each whole second of a span} */
    List<Double> perSecond(long fromNanos, long untilNanos) {
        List<Double> rates = new ArrayList<>();
        long second = (long) NANOS_PER_SECOND;
        for (long at = fromNanos; at + second - untilNanos <= 0; at += second) {
            rates.add(bpsBetween(at, at + second));
        }
        return rates;
    }
}
