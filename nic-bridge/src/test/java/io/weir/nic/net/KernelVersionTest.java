package io.weir.nic.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link KernelVersion}. */
class KernelVersionTest {
    @ParameterizedTest
    @CsvSource({
        "6.1.0-18-amd64, 6, 1",
        "5.10, 5, 10",
        "6.12.117+deb13-arm64, 6, 12",
        "7.3-rc1, 7, 3",
        "rolling, 0, 0",
        "6, 0, 0",
        "99999999.1, 0, 0",
        "'', 0, 0"
    })
    void parse_release_takesTheFirstTwoNumbers(String text, int major, int minor) {
        assertEquals(new KernelVersion(major, minor), KernelVersion.parse(text));
    }

    @ParameterizedTest
    @CsvSource({"5.19, 6.1, true", "6.1, 5.19, false", "6.9, 6.12, true", "6.12, 6.12, false", "6.12, 6.9, false"})
    void isBefore_comparesNumbers(String a, String b, boolean expected) {
        assertEquals(expected, KernelVersion.parse(a).isBefore(KernelVersion.parse(b)));
    }

    @Test
    void running_isOneThatWeirRunsOn() {
        assertTrue(new KernelVersion(5, 9).isBefore(KernelVersion.running()), KernelVersion.running()::toString);
    }
}
