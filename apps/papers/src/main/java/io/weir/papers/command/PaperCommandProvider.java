package io.weir.papers.command;

import io.weir.cli.CommandProvider;

/** Gives the weir command its command {@code paper}. */
public final class PaperCommandProvider implements CommandProvider {
    /** For the service loader. */
    public PaperCommandProvider() {}

    @Override
    public String name() {
        return PaperCommand.NAME;
    }

    @Override
    public Object command() {
        return new PaperCommand();
    }
}
