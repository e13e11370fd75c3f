package io.weir.cli.doctor;

import java.util.regex.Pattern;

/** Text that a shell takes as it is meant: names of interfaces and processes may have any signs. */
final class ShellText {
    private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.@:+-]*");

    private ShellText() {}

    /** {@return a word for a command line, in quotes where a shell would see more in it} */
    static String word(String text) {
        return HARMLESS.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /** {@return a text that stays within its line} */
    static String line(String text) {
        return text.replaceAll("\\p{Cntrl}", " ");
    }
}
