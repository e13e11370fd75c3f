package io.weir.nic.platform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Document;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the table of what was tried: that it is whole, and that a run finds what got worse. */
class PlatformTableTest {
    private static final PlatformCell CELL = new PlatformCell(
            "6.1", "bookworm", "x86-64", "virtio_net", "native/copy", "zero-copy refused", "all 10", "all 9");

    @Test
    void readme_sentence_isThatOfTheTable() {
        Document.requireBlock("README.md", "tried", PlatformTable.committed().tried());
    }

    @ParameterizedTest
    @EnumSource(PlatformBoot.class)
    void committed_eachBoot_hasARowForEachDevice(PlatformBoot boot) {
        List<String> devices = PlatformTable.committed().cells().stream()
                .filter(cell ->
                        cell.release().equals(boot.kernel()) && cell.processor().equals(boot.processor()))
                .map(PlatformCell::device)
                .toList();
        assertEquals(boot.devices().stream().map(PlatformDevice::title).toList(), devices);
    }

    @Test
    void row_parsed_isTheSameCell() {
        assertEquals(CELL, PlatformCell.parse(CELL.row()));
        assertNull(PlatformCell.parse("| kernel | Debian | processor | device | mode | reason | AF_XDP | AF_PACKET |"));
    }

    @Test
    void line_json_isParsedUnchanged() {
        TrialReport.Line line =
                new TrialReport.Line("VETH", "AF_XDP", "open", false, "a \"quoted\" C:\\path refused: \\\"");
        assertEquals(line, TrialReport.Line.parse(line.json()));
        assertNull(TrialReport.Line.parse("programs left: 0"));
    }

    @ParameterizedTest
    @CsvSource({
        "generic/copy, all 10, all 9",
        "none, 1 of 10; failed: open, all 9",
        "native/copy, '9 of 10; failed: MTU', all 9",
        "native/copy, all 10, '0 of 9; not run to its end'"
    })
    void worse_lowerRungOrFewerStages_isNamed(String rung, String xdp, String packet) {
        PlatformCell now = with(rung, xdp, packet);
        assertEquals(1, new PlatformTable(List.of(CELL)).worse(List.of(now)).size());
        assertEquals(List.of(), new PlatformTable(List.of(now)).worse(List.of(CELL)));
    }

    @Test
    void worse_cellThatIsNotThere_mustBeGreen() {
        PlatformTable empty = new PlatformTable(List.of());
        assertEquals(List.of(), empty.worse(List.of(CELL)));
        assertEquals(
                1,
                empty.worse(List.of(with("native/copy", "9 of 10; failed: MTU", "all 9")))
                        .size());
    }

    @Test
    void of_linesOfATrial_countsStagesAndNamesWhatFailed() {
        List<TrialReport.Line> lines = new ArrayList<>();
        for (TrialWay way : TrialWay.values()) {
            for (String stage : PlatformTrial.stages(way)) {
                boolean passed = way == TrialWay.AF_XDP || !stage.equals("MTU");
                lines.add(new TrialReport.Line("E1000E", way.name(), stage, passed, "generic/copy: because: of it"));
            }
        }
        PlatformCell cell = PlatformCell.of(PlatformBoot.BOOKWORM, "6.1", PlatformDevice.E1000E, lines);
        assertEquals("generic/copy", cell.rung());
        assertEquals("because: of it", cell.reason());
        assertEquals("all 10", cell.xdp());
        assertEquals("8 of 9; failed: MTU", cell.packet());
        PlatformCell none = PlatformCell.of(PlatformBoot.BOOKWORM, "6.1", PlatformDevice.VETH, lines);
        assertEquals("none", none.rung());
        assertEquals("0 of 10; not run to its end", none.xdp());
    }

    @Test
    void with_cellsOfARun_replaceTheirPlacesAlone() {
        PlatformCell other = new PlatformCell(
                "5.10", "bullseye", "x86-64", "veth", "native/copy", "zero-copy refused", "all 10", "all 9");
        PlatformCell now = with("native/copy", "9 of 10; failed: MTU", "all 9");
        assertEquals(
                List.of(other, now),
                new PlatformTable(List.of(CELL, other)).with(List.of(now)).cells());
        assertTrue(new PlatformTable(List.of(other)).tried().replace('\n', ' ').contains("5.10 on x86-64 (veth)"));
    }

    @Test
    void lengths_ofAnMtu_goFromTheLeastFrameToTheLargestByEachPowerOfTwo() {
        assertTrue(TrialFrames.lengths(1500)
                .containsAll(List.of(60, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 1513, 1514)));
        assertTrue(TrialFrames.lengths(1500).stream().allMatch(length -> length >= 60 && length <= 1514));
    }

    private static PlatformCell with(String rung, String xdp, String packet) {
        return new PlatformCell(
                CELL.kernel(), CELL.release(), CELL.processor(), CELL.device(), rung, CELL.reason(), xdp, packet);
    }
}
