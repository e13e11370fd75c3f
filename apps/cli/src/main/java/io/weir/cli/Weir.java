package io.weir.cli;

import picocli.CommandLine.Command;

/** The root command. */
@Command(name = "weir")
public final class Weir {
    private Weir() {}

    /** Starts. */
    public static void main(String[] arguments) {
        System.exit(0);
    }
}
