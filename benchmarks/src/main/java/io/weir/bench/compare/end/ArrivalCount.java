package io.weir.bench.compare.end;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that arrived, and how many had when. The thread that receives adds; a thread of this class looks every 20 ms,
 * so that the receiver never reads a clock.
 */
final class ArrivalCount {
    private static final long SAMPLE_MILLIS = 20;
    private static final int SAMPLES_MAX = 30_000;

    private final AtomicLong bytes = new AtomicLong();
    private final StringBuilder samples = new StringBuilder();
    /** Written by the sampling thread only. */
    private int sampleCount;

    private final CountDownLatch over = new CountDownLatch(1);
    private Thread thread;

    /** Adds what has arrived; one thread only. */
    void add(int arrivedBytes) {
        bytes.lazySet(bytes.getPlain() + arrivedBytes);
    }

    void start() {
        thread = new Thread(this::sample, "compare-samples");
        thread.setDaemon(true);
        thread.start();
    }

    private void sample() {
        try {
            do {
                note();
            } while (sampleCount < SAMPLES_MAX && !over.await(SAMPLE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            // Nobody interrupts it; it would end with the samples that it has.
        }
    }

    private void note() {
        long nowNanos = System.nanoTime();
        samples.append(sampleCount++ == 0 ? "" : ",")
                .append(nowNanos)
                .append(':')
                .append(bytes.get());
    }

    /** Reports all samples; once. */
    void report(EndOutput out) throws InterruptedException {
        over.countDown();
        thread.join();
        note();
        out.say(EndOutput.SAMPLES + " " + samples);
    }
}
