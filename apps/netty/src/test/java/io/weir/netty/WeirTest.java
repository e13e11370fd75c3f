package io.weir.netty;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.testing.ChildJvm;
import java.io.File;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests {@link Weir}. */
class WeirTest {
    @Test
    void isAvailable_everythingIsHere_isTrueWithoutACause() {
        assertTrue(Weir.isAvailable());
        assertNull(Weir.unavailabilityCause());
        assertDoesNotThrow(Weir::ensureAvailability);
    }

    @Test
    void isAvailable_noBackendOnTheClassPath_isFalseAndTheCauseNamesWhatToAdd() throws Exception {
        String without = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.contains("nic-bridge"))
                .collect(Collectors.joining(File.pathSeparator));
        try (ChildJvm child = ChildJvm.start(List.of(), without, Availability.class)) {
            String line = child.awaitLine("available:");
            assertTrue(line.startsWith("available: false"), line);
            assertTrue(line.contains("add weir-nic-bridge"), line);
            assertTrue(child.awaitLine("thrown:").contains("add weir-nic-bridge"));
        }
    }

    /** Prints what {@link Weir} tells of the JVM that it runs in. */
    static final class Availability {
        private Availability() {}

        public static void main(String[] args) {
            System.out.println("available: " + Weir.isAvailable() + ", " + Weir.unavailabilityCause());
            try {
                Weir.ensureAvailability();
            } catch (UnsatisfiedLinkError e) {
                System.out.println("thrown: " + e.getMessage());
            }
        }
    }
}
