package io.weir.transport.lab;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;

/**
 * A planted fault that no schedule of the laboratory shows, and the test that does.
 *
 * @param test the class of the test, without {@code io.weir.}
 * @param method its method, which has no parameters
 */
public record FoundFault(PlantedFault fault, String test, String method) {
    /** Requires that the test fails with the fault, and passes in the same build without it. */
    public void requireFound() throws ReflectiveOperationException {
        FaultyBuild build = new FaultyBuild(List.of(fault));
        assertNull(build.run(null, "io.weir." + test, method), "the build with no fault at work");
        assertNotNull(build.run(fault, "io.weir." + test, method), this + " misses it");
    }

    @Override
    public String toString() {
        return fault.what() + ": " + test + '#' + method;
    }
}
