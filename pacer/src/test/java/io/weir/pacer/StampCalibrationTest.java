package io.weir.pacer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** How stamps of one batch come apart. */
class StampCalibrationTest {
    private static final long TEN_GBPS = 10_000_000_000L;
    /** 1,230.4 ns at 10 Gbps. */
    private static final int WIRE_BYTES = 1538;

    private static final long FRAME_NANOS = 1_231;

    private final StampCalibration calibration = new StampCalibration(TEN_GBPS, true);
    private final StampCalibration off = new StampCalibration(TEN_GBPS, false);

    @Test
    void departureNanos_framesOfOneBatch_areATransmissionTimeApart() {
        assertEquals(1_000, departs(calibration, 1_000));
        assertEquals(2_231, departs(calibration, 1_000));
        assertEquals(3_462, departs(calibration, 1_000));
    }

    @Test
    void departureNanos_nextBatch_beginsAnew() {
        departs(calibration, 1_000);
        departs(calibration, 1_000);

        assertEquals(2_000, departs(calibration, 2_000));
    }

    @Test
    void departureNanos_shortFrameBefore_followsItClosely() {
        calibration.onDeparture(68, 1_000);

        assertEquals(1_068, calibration.departureNanos(1_000));
    }

    @Test
    void departureNanos_off_isTheHandOver() {
        departs(off, 1_000);

        assertEquals(1_000, departs(off, 1_000));
    }

    @Test
    void arrivalNanos_framesOfOneBatch_areTheirOwnTransmissionTimeAfterTheFormer() {
        assertEquals(7_000, calibration.arrivalNanos(WIRE_BYTES, 7_000, 7_000));
        assertEquals(8_231, calibration.arrivalNanos(WIRE_BYTES, 7_000, 7_000));
        assertEquals(8_299, calibration.arrivalNanos(84, 7_000, 7_000));
    }

    @Test
    void arrivalNanos_nextBatch_beginsAnew() {
        calibration.arrivalNanos(WIRE_BYTES, 7_000, 7_000);
        calibration.arrivalNanos(WIRE_BYTES, 7_000, 7_000);

        assertEquals(7_500, calibration.arrivalNanos(WIRE_BYTES, 7_500, 7_500));
    }

    @Test
    void arrivalNanos_deviceStampsFarEnoughApart_stay() {
        calibration.arrivalNanos(WIRE_BYTES, 1_000, 7_000);

        assertEquals(2_500, calibration.arrivalNanos(WIRE_BYTES, 2_500, 7_000));
    }

    @Test
    void arrivalNanos_deviceStampsTooClose_areMoved() {
        calibration.arrivalNanos(WIRE_BYTES, 1_000, 7_000);

        assertEquals(2_231, calibration.arrivalNanos(WIRE_BYTES, 1_900, 7_000));
    }

    @Test
    void arrivalNanos_off_isTheStamp() {
        off.arrivalNanos(WIRE_BYTES, 7_000, 7_000);

        assertEquals(7_000, off.arrivalNanos(WIRE_BYTES, 7_000, 7_000));
    }

    private static long departs(StampCalibration calibration, long nowNanos) {
        long stamp = calibration.departureNanos(nowNanos);
        calibration.onDeparture(FRAME_NANOS, nowNanos);
        return stamp;
    }
}
