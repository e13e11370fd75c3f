package io.weir.transport.switching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.testing.Allocations;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How long a queue had how many bytes. */
class QueueMeterTest {
    @Test
    void bytesMean_levelsOfDifferentLengths_isWeightedByTime() {
        QueueMeter meter = new QueueMeter(100, 1_000);
        meter.onLevel(300, 1_010);
        meter.onLevel(0, 1_040);
        meter.settle(1_100);
        assertEquals((100 * 10 + 300 * 30) / 100.0, meter.bytesMean());
        assertEquals(300, meter.bytesMax());
    }

    @Test
    void bytesMax_levelThatLastedNoTime_counts() {
        QueueMeter meter = new QueueMeter(0, 0);
        meter.onLevel(1_538, 10);
        meter.onLevel(0, 10);
        meter.settle(20);
        assertEquals(1_538, meter.bytesMax());
        assertEquals(0, meter.bytesMean());
        assertEquals(0, meter.bytesAt(1_000_000));
    }

    @Test
    void bytesAt_noTimeOrOneLevel_isThatLevel() {
        QueueMeter meter = new QueueMeter(77, 5);
        assertEquals(77, meter.bytesAt(990_000));
        assertEquals(77, meter.bytesMean());
        meter.settle(6);
        assertEquals(77, meter.bytesAt(990_000));
    }

    @Test
    void bytesAt_randomLevels_isWithinAThirtySecondOfTheExactOne() {
        SeededRandom random = new SeededRandom(1);
        QueueMeter meter = new QueueMeter(0, 0);
        TreeMap<Long, Long> nanosByLevel = new TreeMap<>();
        long now = 0;
        long level = 0;
        for (int i = 0; i < 20_000; i++) {
            long nanos = random.nextInt(2_000);
            nanosByLevel.merge(level, nanos, Long::sum);
            now += nanos;
            level = random.nextLong(1L << random.nextInt(40));
            meter.onLevel(level, now);
        }
        for (int ppm : new int[] {10_000, 500_000, 900_000, 990_000, 999_000, 1_000_000}) {
            long wanted = (long) Math.ceil(now * (ppm / 1e6));
            long seen = 0;
            long exact = -1;
            for (var entry : nanosByLevel.entrySet()) {
                seen += entry.getValue();
                if (seen >= wanted && exact < 0) {
                    exact = entry.getKey();
                }
            }
            long found = meter.bytesAt(ppm);
            assertTrue(
                    found >= exact && found <= exact + exact / 32 + 1, ppm + " ppm: " + found + ", exactly " + exact);
        }
    }

    @Test
    void forEachLevel_all_addUpToTheTime() {
        QueueMeter meter = new QueueMeter(10, 0);
        meter.onLevel(63, 100);
        meter.onLevel(64, 130);
        meter.settle(200);
        StringBuilder levels = new StringBuilder();
        meter.forEachLevel(
                (bytes, nanos) -> levels.append(bytes).append(':').append(nanos).append(' '));
        assertEquals("10:100 63:30 64:70 ", levels.toString());
    }

    @Test
    void onLevel_anyNumberOfTimes_allocatesNothing() {
        QueueMeter meter = new QueueMeter(0, 0);
        long[] now = new long[1];
        Runnable change = () -> meter.onLevel(now[0]++ & 0xFFFF, now[0]);
        assertEquals(0, Allocations.fewestOf(4, 100_000, change));
    }
}
