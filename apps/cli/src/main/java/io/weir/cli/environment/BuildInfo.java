package io.weir.cli.environment;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/**
 * Which build of Weir this is.
 *
 * @param version the release
 * @param commit the commit it was built from, with {@code -dirty} when files had changed, or {@code unknown}
 */
public record BuildInfo(String version, String commit) {
    private static final String UNKNOWN = "unknown";
    private static final BuildInfo CURRENT = read();

    /** {@return the build that runs} */
    public static BuildInfo current() {
        return CURRENT;
    }

    private static BuildInfo read() {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text("/io/weir/cli/build.properties")));
            return of(properties.getProperty("version", ""), text("/io/weir/cli/commit.txt"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the build of these two; a build without git knows no commit} */
    static BuildInfo of(String version, String commit) {
        return new BuildInfo(version.isBlank() ? UNKNOWN : version, commit.isBlank() ? UNKNOWN : commit.strip());
    }

    private static String text(String resource) throws IOException {
        try (InputStream stream = BuildInfo.class.getResourceAsStream(resource)) {
            return stream == null ? "" : new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
