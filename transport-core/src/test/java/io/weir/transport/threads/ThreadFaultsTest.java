package io.weir.transport.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.lab.PlantedFault;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the laboratory of threads is worth: its seeds must find planted mistakes that need two threads. */
class ThreadFaultsTest {
    /** The others are for the slow lane. */
    @Test
    void search_firstFault_isFound() throws ReflectiveOperationException {
        PlantedFault fault = ThreadFaults.all().get(0);
        assertTrue(new TurnedBuild(List.of(fault)).search(fault, fault.seedsMax()) > 0, fault.what());
    }

    @Test
    @Tag("slow")
    void search_eachFault_isFoundWithinTheNormalLanesSeeds() throws ReflectiveOperationException {
        List<String> missed = new ArrayList<>();
        for (PlantedFault fault : ThreadFaults.all()) {
            // A build for each: what a fault leaves behind is not the next one's.
            if (new TurnedBuild(List.of(fault)).search(fault, fault.seedsMax()) == 0) {
                missed.add(fault.what());
            }
        }
        assertEquals(List.of(), missed);
    }
}
