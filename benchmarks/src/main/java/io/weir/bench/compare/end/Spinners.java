package io.weir.bench.compare.end;

import java.util.concurrent.CountDownLatch;

/** Threads that compute all the time: what a machine with other work does to the others. */
final class Spinners {
    private final int count;
    /** Keeps the loops from being compiled away. */
    @SuppressWarnings("UnusedVariable") // written so that the loop has work
    private volatile long sink;

    Spinners(int count) {
        this.count = count;
    }

    void run(EndOutput out, CountDownLatch stop) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> spin(stop), "compare-spin-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        out.open();
        stop.await();
    }

    private void spin(CountDownLatch stop) {
        long value = 1;
        while (stop.getCount() > 0) {
            for (int i = 0; i < 1_000_000; i++) {
                value = value * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
            }
            sink = value;
        }
    }
}
