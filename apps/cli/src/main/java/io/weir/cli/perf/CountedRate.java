package io.weir.cli.perf;

import io.weir.cli.unit.Rates;
import io.weir.transport.node.ConfigException;
import picocli.CommandLine.ITypeConverter;

/**
 * A rate with a count behind a slash, as iperf3 has them: {@code 100M/8}.
 *
 * @param rateBps bits per second, 0 for no limit
 * @param count what the option says it is, 0 where it was left out
 */
record CountedRate(long rateBps, int count) {
    static final CountedRate NONE = new CountedRate(0, 0);

    static CountedRate parse(String text) {
        int slash = text.indexOf('/');
        // A unit such as Mbit/s has a slash too.
        boolean isCounted = slash >= 0 && slash + 1 < text.length() && Character.isDigit(text.charAt(slash + 1));
        String rate = isCounted ? text.substring(0, slash) : text;
        long rateBps = rate.chars().allMatch(Character::isDigit) && !rate.isEmpty()
                ? Rates.parse(rate + "bps", true)
                : Rates.parse(rate, true);
        return new CountedRate(rateBps, isCounted ? count(text, text.substring(slash + 1)) : 0);
    }

    private static int count(String text, String count) {
        try {
            int value = Integer.parseInt(count);
            if (value >= 1 && value <= TestDetails.BURST_BLOCKS_MAX) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new ConfigException(
                    "\"" + text + "\": what follows the slash is no number; write it as in 100M/8", e);
        }
        throw new ConfigException("\"" + text + "\": " + count + " is outside 1.." + TestDetails.BURST_BLOCKS_MAX
                + "; write it as in 100M/8");
    }

    /** For options. */
    static final class LimitConverter implements ITypeConverter<CountedRate> {
        LimitConverter() {}

        @Override
        public CountedRate convert(String text) {
            return parse(text.strip());
        }
    }
}
