package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests what a server agrees to do. */
class TestSpecTest {
    private static void assertRefused(String beginning, Executable maker) {
        String message = assertThrows(ConfigException.class, maker).getMessage();
        assertTrue(message.startsWith(beginning), message);
    }

    private static TestSpec bulk(int parallel, int lengthBytes, long timeNanos, long totalBytes, long bitrateBps) {
        return new TestSpecBuilder()
                .id(Specs.ID)
                .parallel(parallel)
                .lengthBytes(lengthBytes)
                .timeNanos(timeNanos)
                .totalBytes(totalBytes)
                .bitrateBps(bitrateBps)
                .build();
    }

    @Test
    void constructor_outsideLimits_namesValueAndLimit() {
        assertRefused("parallel=0 is outside 1..128", () -> bulk(0, 1, 1, 0, 0));
        assertRefused("parallel=129 is outside 1..128", () -> bulk(129, 1, 1, 0, 0));
        assertRefused("lengthBytes=0 is outside 1..1048576", () -> bulk(1, 0, 1, 0, 0));
        assertRefused("lengthBytes=1048577 is outside", () -> bulk(1, 1_048_577, 1, 0, 0));
        assertRefused("timeNanos=-1 is outside", () -> bulk(1, 1, -1, 0, 0));
        assertRefused("timeNanos=86400000000001 is outside", () -> bulk(1, 1, 86_400_000_000_001L, 0, 0));
        assertRefused("totalBytes=-1 is outside", () -> bulk(1, 1, 0, -1, 0));
        assertRefused("bitrateBps=-1 is outside", () -> bulk(1, 1, 1, 0, -1));
        assertRefused("timeNanos=1 and totalBytes=1: only one may say", () -> bulk(1, 1, 1, 1, 0));
        assertRefused("totalBytes=3 leaves some of 4 streams without a byte", () -> bulk(4, 1, 0, 3, 0));
    }

    @Test
    void constructor_somethingMissing_isRefused() {
        assertRefused("id=null", () -> new TestSpecBuilder()
                .direction(Direction.BOTH)
                .timeNanos(1)
                .build());
        assertRefused("id=XYZ", () -> new TestSpecBuilder()
                .id("XYZ")
                .direction(Direction.BOTH)
                .timeNanos(1)
                .build());
        assertRefused("kind is missing", () -> new TestSpecBuilder()
                .id(Specs.ID)
                .kind(null)
                .direction(Direction.BOTH)
                .timeNanos(1)
                .build());
        assertRefused("direction is missing", () -> new TestSpecBuilder()
                .id(Specs.ID)
                .direction(null)
                .timeNanos(1)
                .build());
    }

    @Test
    void constructor_requestsWithWhatOnlyBulkHas_isRefused() {
        String beginning = "requests and messages go from the client";
        Kind kind = Kind.REQUEST_RESPONSE;
        assertRefused(beginning, () -> new TestSpecBuilder()
                .id(Specs.ID)
                .kind(kind)
                .direction(Direction.REVERSE)
                .timeNanos(1)
                .build());
        assertRefused(beginning, () -> new TestSpecBuilder()
                .id(Specs.ID)
                .kind(kind)
                .totalBytes(1)
                .build());
        assertRefused(beginning, () -> new TestSpecBuilder()
                .id(Specs.ID)
                .kind(kind)
                .timeNanos(1)
                .bitrateBps(1)
                .build());
        assertRefused(beginning, () -> new TestSpecBuilder()
                .id(Specs.ID)
                .kind(kind)
                .timeNanos(1)
                .verifySeed(1L)
                .build());
    }

    @Test
    void isSender_eachDirection_namesExactlyOneEnd() {
        for (Direction direction : Direction.values()) {
            TestSpec spec = new TestSpecBuilder()
                    .id(Specs.ID)
                    .direction(direction)
                    .parallel(2)
                    .timeNanos(1)
                    .build();
            assertEquals(direction == Direction.BOTH ? 4 : 2, spec.streamCount());
            for (int i = 0; i < spec.streamCount(); i++) {
                assertEquals(!spec.isSender(Role.CLIENT, i), spec.isSender(Role.SERVER, i));
            }
        }
        TestSpec both = new TestSpecBuilder()
                .id(Specs.ID)
                .direction(Direction.BOTH)
                .parallel(2)
                .timeNanos(1)
                .build();
        assertTrue(both.isSender(Role.CLIENT, 1));
        assertFalse(both.isSender(Role.CLIENT, 2));
        assertFalse(new TestSpecBuilder()
                .id(Specs.ID)
                .direction(Direction.REVERSE)
                .timeNanos(1)
                .build()
                .isSender(Role.CLIENT, 0));
    }

    @Test
    void streamBytes_totalThatDoesNotDivide_addsUpInEachDirection() {
        TestSpec spec = new TestSpecBuilder()
                .id(Specs.ID)
                .direction(Direction.BOTH)
                .parallel(4)
                .totalBytes(10)
                .build();
        assertEquals(10, IntStream.range(0, 4).mapToLong(spec::streamBytes).sum());
        assertEquals(10, IntStream.range(4, 8).mapToLong(spec::streamBytes).sum());
        assertEquals(3, spec.streamBytes(0));
        assertEquals(2, spec.streamBytes(3));
        assertEquals(Long.MAX_VALUE, bulk(4, 1, 1, 0, 0).streamBytes(0));
    }
}
