package io.weir.cli;

import io.weir.cli.environment.EnvironmentException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Stands for {@code weir paper} where its module is not on the class path. */
@Command(name = "paper", description = "Reproduce figures and tables of papers. This program was built without them.")
final class MissingPaperCommand implements Runnable {
    @Unmatched
    private List<String> arguments = new ArrayList<>();

    MissingPaperCommand() {}

    @Override
    public void run() {
        throw new EnvironmentException(
                String.join(" ", "paper", String.join(" ", arguments)).strip()
                        + ": needs the module io.weir:weir-papers, which is not on the class path; add its jar, or run ./weir of"
                        + " a checkout, which has it");
    }
}
