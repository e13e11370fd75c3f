package io.weir.papers;

import io.weir.transport.scenario.result.ScenarioResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What sends credits in a line of a figure, and through which meters.
 *
 * @param name what the legend calls it
 * @param dataShareMax the most that data can take of a link next to credits, frames as on the wire
 * @param settings what makes it of the catalogue's files
 */
public record Variant(String name, double dataShareMax, List<String> settings) {
    /** What data can take of a link where credits are 84 B and all of the link is for both (section 3.1). */
    public static final double DATA_SHARE_PAPER = 1538.0 / (84 + 1538);

    /** The same with credits of 84 to 92 B. */
    public static final double DATA_SHARE_SPREAD = 1538.0 / (88 + 1538);

    /** The same with a hundredth set aside for frames without credits, Weir's default. */
    public static final double DATA_SHARE_WEIR = 0.99 * DATA_SHARE_SPREAD;

    /** What a frame's wire bytes are to its payload. */
    public static final double WIRE_BYTES_PER_PAYLOAD_BYTE = 1538.0 / 1424;

    /** Weir's meter and its way to drop credits. */
    public static final String WEIR_METER = "topology.credits={model: exact}";

    /** The files' own: feedback and meters of the authors' simulator, which made the paper's figures. */
    public static final Variant AUTHORS = new Variant("authors", DATA_SHARE_SPREAD, List.of());

    /** Weir's default feedback and meters. */
    public static final Variant WEIR = new Variant("weir", DATA_SHARE_WEIR, List.of("protocol=weir", WEIR_METER));

    /** Algorithm 1 as printed, through the files' meters. */
    public static final Variant PAPER = new Variant("paper", DATA_SHARE_SPREAD, List.of("protocol=paper"));

    /** No feedback, through Weir's meters. */
    public static final Variant NAIVE = new Variant("naive", DATA_SHARE_WEIR, List.of("protocol=naive", WEIR_METER));

    /** {@return a run of a file by this variant, named by it and what is special} */
    public <R> PaperRun<R> run(String file, String point, Function<ScenarioResult, R> extract, List<String> more) {
        List<String> all = new ArrayList<>(settings);
        all.addAll(more);
        return new PaperRun<>((name + " " + point).trim(), file, all, extract);
    }

    /** {@return the variant with other settings} */
    public Variant with(String newWord, String... newSettings) {
        return new Variant(newWord, dataShareMax, List.of(newSettings));
    }

    /** {@return the variant with one setting more} */
    public Variant and(String setting) {
        List<String> more = new ArrayList<>(settings);
        more.add(setting);
        return new Variant(name, dataShareMax, more);
    }
}
