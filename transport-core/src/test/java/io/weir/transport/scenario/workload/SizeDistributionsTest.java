package io.weir.transport.scenario.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.SizeDistribution;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Distributions as text, and those that come with Weir. */
class SizeDistributionsTest {
    private static final Pattern MEAN = Pattern.compile("mean = (\\d+) bytes; share of flows <=10KB ([0-9.]+)");

    static Iterable<String> names() {
        return SizeDistributions.names();
    }

    static SizeDistribution load(String name) throws IOException {
        try (InputStream in = SizeDistributions.class.getResourceAsStream(SizeDistributions.resourceOf(name))) {
            return SizeDistributions.parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void parse_distributionThatComesWithWeir_hasTheMeanThatItsCommentSays(String name) throws IOException {
        SizeDistribution sizes = load(name);
        Matcher comment = MEAN.matcher(sizes.source());
        assertTrue(comment.find(), sizes.source());
        double mean = Double.parseDouble(comment.group(1));
        assertEquals(mean, sizes.meanBytes(), mean * 1e-5);
        double small = Double.parseDouble(comment.group(2));
        // Steps in the function make the inverse a range; a hair to either side decides.
        assertTrue(sizes.bytesAt(small - 0.001) <= 10_000, name + ": " + sizes.bytesAt(small - 0.001));
        assertTrue(sizes.bytesAt(small + 0.001) >= 10_000, name + ": " + sizes.bytesAt(small + 0.001));
    }

    @Test
    void bytesAt_betweenPoints_isLinearAndRoundedUp() {
        SizeDistribution sizes = SizeDistributions.parse("t", "size_bytes,cdf\n10,0\n20,0.5\n20,0.75\n121,1\n");
        assertEquals(10, sizes.bytesAt(0));
        assertEquals(15, sizes.bytesAt(0.25));
        assertEquals(16, sizes.bytesAt(0.2501));
        assertEquals(20, sizes.bytesAt(0.6));
        assertEquals(71, sizes.bytesAt(0.875));
        assertEquals(121, sizes.bytesAt(1));
        assertEquals(0.5 * 15 + 0.25 * 20 + 0.25 * 70.5, sizes.meanBytes(), 1e-9);
    }

    @Test
    void bytesAt_sizeOfZero_isOne() {
        assertEquals(1, SizeDistributions.parse("t", "0 0\n100 1").bytesAt(0));
    }

    @Test
    void meanSegments_uniformSizes_isTheMeanOfRoundedUpQuotients() {
        SizeDistribution sizes = SizeDistributions.parse("t", "0,0\n1000,1");
        double expected = 0;
        for (int bytes = 1; bytes <= 1000; bytes++) {
            expected += Math.ceil(bytes / 300.0) / 1000;
        }
        assertEquals(expected, sizes.meanSegments(300), 1e-9);
        assertEquals(1, SizeDistributions.parse("t", "5,0\n5,1").meanSegments(300));
    }

    private static void requireError(String expected, String text) {
        ConfigException e = assertThrows(ConfigException.class, () -> SizeDistributions.parse("mine", text));
        assertEquals(expected, e.getMessage());
    }

    @Test
    void parse_textThatIsWrong_namesLineAndValue() {
        requireError(
                "mine, line 3: the distribution ends at a fraction of 0.9 and must rise to 1: add a line with the largest size",
                "# sizes\n1,0\n100,0.9\n\n");
        requireError(
                "mine, line 1: the distribution ends at a fraction of 0.0 and must rise to 1: add a line with the largest size",
                "");
        requireError("mine, line 2: 'many' is not a number", "1,0\n100,many\n");
        requireError(
                "mine, line 2: '100' has 1 columns; write a size in bytes, a comma and a fraction", "1,0\n100\n200,1");
        requireError("mine, line 3: a size of 50 B after one of 100.0 B; sizes must not fall", "1,0\n100,0.5\n50,1");
        requireError(
                "mine, line 2: a fraction of 1.5 after one of 0.0; fractions must not fall, nor exceed 1",
                "1,0\n100,1.5");
        requireError("mine, line 2: a size of NaN B after one of 1.0 B; sizes must not fall", "1,0\nNaN,1");
    }

    @Test
    void resourceOf_unknownName_isRefused() {
        ConfigException e = assertThrows(ConfigException.class, () -> SizeDistributions.resourceOf("x"));
        assertTrue(e.getMessage().contains("there are homa_fb_cachefollower_intracluster, "), e.getMessage());
    }
}
