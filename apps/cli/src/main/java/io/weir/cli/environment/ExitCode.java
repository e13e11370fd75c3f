package io.weir.cli.environment;

/** What the command tells the shell. */
public final class ExitCode {
    /** Done, and every stated criterion met. */
    public static final int DONE = 0;
    /** Ran, but a transfer, a check or a criterion failed. */
    public static final int FAILED = 1;
    /** The command line or a file is wrong. */
    public static final int USAGE = 2;
    /** The environment cannot do it. */
    public static final int ENVIRONMENT = 3;
    /** Ran, and no criterion failed, but the measurement could not judge every one. */
    public static final int NOT_JUDGED = 4;

    private ExitCode() {}
}
