package io.weir.cli.doctor;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts names in place of addresses in a text: the same one wherever an address is written alike, so that a reader still
 * sees which are the same. One thread.
 */
final class AddressMask {
    /** What may be an address, and belongs to no longer word or number. Four numbers may have a port behind them. */
    private static final Pattern CANDIDATE = Pattern.compile("(?<![\\w.])\\d{1,3}(\\.\\d{1,3}){3}(?!\\w|\\.\\d)"
            + "|(?<![\\w:.])[0-9A-Fa-f]*:[0-9A-Fa-f:.]*[0-9A-Fa-f:](?!\\w)");

    private static final Pattern ETHERNET = Pattern.compile("[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}");
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

    private final Map<String, String> names = new HashMap<>();

    /** {@return the text without addresses} */
    String mask(String text) {
        Matcher matcher = CANDIDATE.matcher(text);
        StringBuilder masked = new StringBuilder();
        while (matcher.find()) {
            String found = matcher.group();
            String name = nameOf(found);
            matcher.appendReplacement(masked, Matcher.quoteReplacement(name == null ? found : name));
        }
        return matcher.appendTail(masked).toString();
    }

    /** {@return what stands in place of an address, or null for what is none} */
    private String nameOf(String text) {
        String kind = ETHERNET.matcher(text).matches()
                ? "MAC"
                : IPV4.matcher(text).matches() ? "IPV4" : isIpv6(text) ? "IPV6" : null;
        return kind == null ? null : names.computeIfAbsent(text, address -> kind + "-" + (names.size() + 1));
    }

    /** Of a text with colons in it, no name server is asked. */
    private static boolean isIpv6(String text) {
        if (text.indexOf(':') == text.lastIndexOf(':')) {
            return false;
        }
        try {
            return InetAddress.getByName(text).getAddress().length > 0;
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
