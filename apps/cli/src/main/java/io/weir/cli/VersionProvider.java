package io.weir.cli;

import io.weir.cli.environment.BuildInfo;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class VersionProvider implements IVersionProvider {
    VersionProvider() {}

    @Override
    public String[] getVersion() {
        BuildInfo build = BuildInfo.current();
        return new String[] {"weir " + build.version() + " (commit " + build.commit() + ")"};
    }
}
