package io.weir.cli.output.canary;

import io.weir.cli.output.canary.loop.CommandRuleLoop;
import io.weir.cli.scenario.ScenarioSchema;
import jnr.ffi.Runtime;

/** Breaks every rule of {@code LayersTest}: the canary whose survival would show that a rule checks nothing. */
public final class CommandRuleBreaker {
    static int mutable;

    private CommandRuleBreaker() {}

    /** Never called. */
    public static void breakAll(Runtime foreign) {
        mutable = foreign.addressSize() + ScenarioSchema.text().length();
        CommandRuleLoop.back(foreign);
        System.exit(mutable);
    }
}
