package io.weir.transport.sim.world;

import io.weir.pacer.SeededRandom;
import io.weir.transport.scenario.ProcessingDelay;
import io.weir.transport.scenario.ProcessingDelay.Point;
import io.weir.transport.sim.ReceiveDelay;

/** Draws how long a host takes to see a frame: its distribution function inverted. Integers; allocates nothing. */
final class DelaySource implements ReceiveDelay {
    private static final int PPM = 1_000_000;

    private final long[] nanos;
    private final int[] ppm;
    private final SeededRandom random;

    DelaySource(ProcessingDelay delay, SeededRandom random) {
        this.nanos = delay.points().stream().mapToLong(Point::nanos).toArray();
        this.ppm = delay.points().stream().mapToInt(Point::fractionPpm).toArray();
        this.random = random;
    }

    @Override
    public long nextNanos() {
        if (nanos.length == 1) {
            return nanos[0];
        }
        int drawn = random.nextInt(PPM);
        int index = 1;
        while (ppm[index] <= drawn) {
            index++;
        }
        long rise = nanos[index] - nanos[index - 1];
        return nanos[index - 1] + rise * (drawn - ppm[index - 1]) / (ppm[index] - ppm[index - 1]);
    }
}
