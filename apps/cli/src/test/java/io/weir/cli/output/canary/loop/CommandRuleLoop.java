package io.weir.cli.output.canary.loop;

import io.weir.cli.output.canary.CommandRuleBreaker;
import jnr.ffi.Runtime;

/** Closes a cycle of packages with {@link CommandRuleBreaker}. */
public final class CommandRuleLoop {
    private CommandRuleLoop() {}

    /** Never called. */
    public static void back(Runtime foreign) {
        CommandRuleBreaker.breakAll(foreign);
    }
}
