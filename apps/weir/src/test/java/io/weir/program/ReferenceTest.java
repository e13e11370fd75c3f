package io.weir.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.WeirCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Tests that docs/CLI.md names every option of every command, in the command's own section. */
class ReferenceTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "CLI.md");
    private static final String COMMON = "Every command";

    /** {@return what the page lacks} */
    private static List<String> missing(String page) {
        List<String> missing = new ArrayList<>();
        String common = section(page, COMMON);
        for (Map.Entry<String, CommandLine> command :
                WeirCommand.commandLine().getSubcommands().entrySet()) {
            String section = section(page, "weir " + command.getKey());
            if (section.isEmpty()) {
                missing.add("section of " + command.getKey());
            }
            for (OptionSpec option : command.getValue().getCommandSpec().options()) {
                for (String name : option.names()) {
                    if (!names(section, name) && !names(common, name)) {
                        missing.add(command.getKey() + " " + name);
                    }
                }
            }
        }
        return missing;
    }

    private static boolean names(String section, String option) {
        return section.contains("`" + option + "`") || section.contains("`" + option + " ");
    }

    /** {@return what stands between the heading and the next, or nothing when there is no such heading} */
    private static String section(String page, String heading) {
        String start = "\n## " + heading + "\n";
        int from = page.indexOf(start);
        if (from < 0) {
            return "";
        }
        int to = page.indexOf("\n## ", from + start.length());
        return page.substring(from, to < 0 ? page.length() : to);
    }

    @Test
    void page_everyCommand_hasItsOptions() throws IOException {
        assertEquals(List.of(), missing(Files.readString(PAGE)));
    }

    @Test
    void page_withoutAnOption_isFoundOut() throws IOException {
        String page = Files.readString(PAGE);
        assertEquals(List.of("perf --link-rate"), missing(page.replace("`--link-rate RATE`", "`--wire-rate RATE`")));
        assertTrue(missing(page.replace("\n## weir demo\n", "\n## weir show\n")).contains("section of demo"));
    }

    @Test
    void page_exitStatuses_areAllThere() throws IOException {
        String common = section(Files.readString(PAGE), COMMON);
        WeirCommand.commandLine().getCommandSpec().usageMessage().exitCodeList().forEach((code, meaning) -> {
            assertTrue(common.contains("| " + code + " | " + meaning), code + ": " + meaning);
        });
    }
}
