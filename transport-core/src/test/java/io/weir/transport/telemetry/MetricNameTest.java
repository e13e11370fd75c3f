package io.weir.transport.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link MetricName}: base units, and no name twice. */
class MetricNameTest {
    @ParameterizedTest
    @CsvSource({
        "REPORTED_MILLIS, weir_reported_seconds, 1500, 1.5",
        "LOOP_NANOS, weir_loop_seconds_total, 2000000000, 2",
        "DUTY_PPM, weir_duty_ratio, 250000, 0.25",
        "MEMORY_BYTES_MAX, weir_memory_max_bytes, 7, 7",
        "SEND_RATE_BPS, weir_send_rate_bytes_per_second, 16, 2",
        "PAUSE_COUNT, weir_pauses_of_thread_total, 3, 3",
        "PAUSE_NANOS_MAX, weir_pause_max_seconds, 1000000, 0.001",
        "CREDIT_QUEUE_FRAMES_MAX, weir_credit_queue_frames_max, 8, 8",
        "FRAMES_LOST, weir_frames_lost_total, 1, 1",
        "OF_ANOTHER_BUILD, weir_of_another_build, 9, 9"
    })
    void of_gauge_hasItsBaseUnit(String gauge, String name, long value, double inUnit) {
        MetricName named = MetricName.of(gauge);
        assertEquals(name, named.prometheus());
        assertEquals(inUnit, named.inUnit(value), 1e-9);
    }

    @Test
    void of_allGauges_areDistinctAndNoCountersName() {
        long names = Arrays.stream(GaugeId.values())
                .map(id -> MetricName.of(id.name()).prometheus())
                .distinct()
                .count();
        assertEquals(GaugeId.values().length, names);
    }
}
