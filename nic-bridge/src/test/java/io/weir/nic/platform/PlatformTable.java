package io.weir.nic.platform;

import io.weir.transport.testing.Document;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table of docs/PLATFORMS.md, and README's line about what was tried. */
final class PlatformTable {
    private static final String DOCUMENT = "docs/PLATFORMS.md";
    private static final String BLOCK = "platforms";
    private static final int COLUMNS = 120;

    private final List<PlatformCell> cells;

    PlatformTable(List<PlatformCell> cells) {
        this.cells = List.copyOf(cells);
    }

    /** {@return the table of the document} */
    static PlatformTable committed() {
        return new PlatformTable(Document.read(DOCUMENT)
                .lines()
                .map(PlatformCell::parse)
                .filter(cell -> cell != null)
                .toList());
    }

    List<PlatformCell> cells() {
        return cells;
    }

    /** {@return this with cells of a run in the places of those that it has} */
    PlatformTable with(List<PlatformCell> run) {
        List<PlatformCell> all = new ArrayList<>(run);
        cells.stream().filter(cell -> run.stream().noneMatch(cell::isSamePlace)).forEach(all::add);
        all.sort(Comparator.comparingInt(PlatformTable::place));
        return new PlatformTable(all);
    }

    private static int place(PlatformCell cell) {
        int place = 0;
        for (PlatformBoot boot : PlatformBoot.values()) {
            for (PlatformDevice device : PlatformDevice.values()) {
                if (boot.kernel().equals(cell.release())
                        && boot.processor().equals(cell.processor())
                        && device.title().equals(cell.device())) {
                    return place;
                }
                place++;
            }
        }
        return place;
    }

    /** {@return what is worse in a run than here; a cell that is not here must be green} */
    List<String> worse(List<PlatformCell> run) {
        List<String> faults = new ArrayList<>();
        for (PlatformCell now : run) {
            PlatformCell before =
                    cells.stream().filter(now::isSamePlace).findFirst().orElse(null);
            String fault = before == null ? null : now.worseThan(before);
            if (fault != null) {
                faults.add(fault);
            } else if (before == null && !now.isGreen()) {
                faults.add("failed, and is not in the table:\n" + now.row());
            }
        }
        return faults;
    }

    /** {@return the document's block} */
    String text() {
        return PlatformCell.HEAD + cells.stream().map(PlatformCell::row).collect(Collectors.joining());
    }

    /** Writes the table into the document where that is asked for ({@code -Dweir.golden=write}). */
    void write() {
        Document.requireBlock(DOCUMENT, BLOCK, text());
    }

    /** {@return README's sentence: what passed every stage} */
    String tried() {
        Map<String, Set<String>> devices = new LinkedHashMap<>();
        for (PlatformCell cell : cells) {
            if (cell.isGreen()) {
                devices.computeIfAbsent(cell.kernel() + " on " + cell.processor(), key -> new LinkedHashSet<>())
                        .add(cell.device().replaceFirst(",.*", ""));
            }
        }
        // Kernels with the same devices stand together.
        Map<String, List<String>> kernels = new LinkedHashMap<>();
        devices.forEach((kernel, names) -> kernels.computeIfAbsent(String.join(", ", names), key -> new ArrayList<>())
                .add(kernel));
        String list = kernels.entrySet().stream()
                .map(entry -> String.join(", ", entry.getValue()) + " (" + entry.getKey() + ")")
                .collect(Collectors.joining("; "));
        return wrapped(
                "Tried: 6.18 on x86-64 with veth; in emulated machines, [all stages passed](docs/PLATFORMS.md) with "
                        + list + ".");
    }

    private static String wrapped(String text) {
        StringBuilder lines = new StringBuilder();
        StringBuilder line = new StringBuilder();
        for (String word : Stream.of(text.split(" ", -1)).toList()) {
            if (line.length() + 1 + word.length() > COLUMNS) {
                lines.append(line).append('\n');
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        return lines.append(line).append('\n').toString();
    }
}
