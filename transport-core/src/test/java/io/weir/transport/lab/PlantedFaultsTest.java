package io.weir.transport.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.lab.FaultyBuild.Finding;
import io.weir.transport.testing.Golden;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What the laboratory is worth: mistakes are planted in the product, one at a time, and the seeds that the sound build
 * passes must find each of them.
 */
class PlantedFaultsTest {
    private static final int FAULTS_MIN = 25;

    @Test
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
