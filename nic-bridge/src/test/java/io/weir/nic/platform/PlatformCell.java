package io.weir.nic.platform;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What one kernel does with one device: a row of the table.
 *
 * @param kernel the kernel's version, two numbers of it
 * @param release Debian's release that has it, with the package where it is not the usual one
 * @param processor the processor
 * @param device the device
 * @param rung the mode of AF_XDP's port, or "none"
 * @param reason why it is that mode
 * @param xdp how many stages passed over AF_XDP, and which failed
 * @param packet how many stages passed over AF_PACKET, and which failed
 */
record PlatformCell(
        String kernel,
        String release,
        String processor,
        String device,
        String rung,
        String reason,
        String xdp,
        String packet) {
    static final String HEAD = """
            | kernel | Debian | processor | device | mode | reason | AF_XDP | AF_PACKET |
            |---|---|---|---|---|---|---|---|
            """;

    private static final String NO_RUNG = "none";
    private static final int COLUMNS = 8;
    /** From the worst to the best. */
    private static final List<String> RUNGS = List.of(NO_RUNG, "generic/copy", "native/copy", "native/zero-copy");

    /** {@return what a trial's lines say about a device} */
    static PlatformCell of(PlatformBoot boot, String kernel, PlatformDevice device, List<TrialReport.Line> lines) {
        List<TrialReport.Line> ours =
                lines.stream().filter(line -> line.link().equals(device.name())).toList();
        Optional<TrialReport.Line> opened = ofWay(ours, TrialWay.AF_XDP)
                .filter(line -> line.stage().equals("open"))
                .findFirst();
        String[] words = opened.filter(TrialReport.Line::passed)
                .map(line -> line.words().split(": ", 2))
                .orElseGet(() -> new String[] {
                    NO_RUNG, opened.map(TrialReport.Line::words).orElse("the trial did not come this far")
                });
        return new PlatformCell(
                kernel,
                boot.kernel(),
                boot.processor(),
                device.title(),
                words[0],
                words[1].replace('|', '/'),
                summary(ours, TrialWay.AF_XDP),
                summary(ours, TrialWay.AF_PACKET));
    }

    private static Stream<TrialReport.Line> ofWay(List<TrialReport.Line> lines, TrialWay way) {
        return lines.stream().filter(line -> line.way().equals(way.name()));
    }

    private static String summary(List<TrialReport.Line> lines, TrialWay way) {
        long count = PlatformTrial.stages(way).size();
        long passed = ofWay(lines, way).filter(TrialReport.Line::passed).count();
        if (passed == count) {
            return "all " + count;
        }
        List<String> failed = ofWay(lines, way)
                .filter(line -> !line.passed())
                .map(TrialReport.Line::stage)
                .toList();
        return passed + " of " + count
                + (failed.isEmpty() ? "; not run to its end" : "; failed: " + String.join(", ", failed));
    }

    /** {@return a row of the table, or null where the line is none} */
    static PlatformCell parse(String line) {
        String[] columns = line.strip().split("\\s*\\|\\s*", -1);
        boolean isRow = columns.length == COLUMNS + 2 && columns[1].matches("\\d.*");
        return isRow
                ? new PlatformCell(
                        columns[1], columns[2], columns[3], columns[4], columns[5], columns[6], columns[7], columns[8])
                : null;
    }

    /** {@return the row of the table} */
    String row() {
        return "| " + String.join(" | ", kernel, release, processor, device, rung, reason, xdp, packet) + " |\n";
    }

    /** {@return whether both are the same release, processor and device; the release's kernel may have changed} */
    boolean isSamePlace(PlatformCell other) {
        return release.equals(other.release) && processor.equals(other.processor) && device.equals(other.device);
    }

    /** {@return whether every stage passed, both ways} */
    boolean isGreen() {
        return xdp.startsWith("all") && packet.startsWith("all");
    }

    /** {@return what is worse than before, or null} */
    String worseThan(PlatformCell before) {
        boolean isWorse = RUNGS.indexOf(rung) < RUNGS.indexOf(before.rung)
                || passed(xdp) < passed(before.xdp)
                || passed(packet) < passed(before.packet);
        return isWorse ? "got worse:\n" + row() + "was\n" + before.row() : null;
    }

    private static int passed(String summary) {
        return Integer.parseInt(summary.replaceFirst("^all ", "").replaceFirst("\\D.*", ""));
    }
}
