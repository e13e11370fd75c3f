package io.weir.transport.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.lab.FaultyBuild.Finding;
import io.weir.transport.testing.Golden;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the laboratory is worth: mistakes are planted in the product, one at a time, and the seeds that the sound build
 * passes must find each of them.
 */
class PlantedFaultsTest {
    private static final int FAULTS_MIN = 25;

    /** The others, and how soon each is found, are for the slow lane. */
    @Test
    void search_firstPlantedFault_isFound() throws ReflectiveOperationException {
        PlantedFault fault = PlantedFaults.all().get(0);
        Finding finding = new FaultyBuild(List.of(fault)).search(fault, fault.seedsMax());
        assertNotNull(finding, fault.what());
    }

    @Test
    @Tag("slow")
    void search_eachPlantedFault_isFoundWithinItsSeedsAndTheSoundBuildPassesThem() throws ReflectiveOperationException {
        List<PlantedFault> faults = PlantedFaults.all();
        FaultyBuild build = new FaultyBuild(faults);
        int seedsMax = faults.stream().mapToInt(PlantedFault::seedsMax).max().orElseThrow();
        assertEquals(null, build.search(null, seedsMax), "the build with no fault at work");
        List<String> missed = new ArrayList<>();
        StringBuilder table =
                new StringBuilder("| the product ... | in | found at seed | of at most |\n|---|---|---|---|\n");
        for (PlantedFault fault : faults) {
            Finding finding = build.search(fault, fault.seedsMax());
            if (finding == null) {
                missed.add(fault.what());
            } else {
                table.append(row(fault, finding));
            }
        }
        assertEquals(List.of(), missed);
        assertTrue(faults.size() >= FAULTS_MIN, faults.size() + " faults");
        Golden.requireEqual("PlantedFaults.txt", table.toString());
    }

    private static String row(PlantedFault fault, Finding finding) {
        String type = fault.type().substring(fault.type().lastIndexOf('.') + 1);
        return "| " + fault.what() + " | `" + type + "." + fault.method() + "` | " + finding.seed() + " | "
                + fault.seedsMax() + " |\n";
    }
}
