package io.weir.nic.net;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The first two numbers of a kernel's version.
 *
 * @param major the first
 * @param minor the second
 */
public record KernelVersion(int major, int minor) {
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,6})\\.(\\d{1,6}).*");

    /** {@return the version of the kernel that runs} */
    public static KernelVersion running() {
        return parse(System.getProperty("os.version"));
    }

    /** {@return the version that a text such as {@code 6.1.0-18-amd64} begins with, or 0.0 for any other text} */
    public static KernelVersion parse(String text) {
        Matcher matcher = NUMBERS.matcher(text);
        return matcher.matches()
                ? new KernelVersion(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)))
                : new KernelVersion(0, 0);
    }

    /** {@return whether this is older than {@code other}} */
    public boolean isBefore(KernelVersion other) {
        return major != other.major ? major < other.major : minor < other.minor;
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
