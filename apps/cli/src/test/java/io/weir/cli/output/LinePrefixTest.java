package io.weir.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** Tests text with something in front of each line. */
class LinePrefixTest {
    @Test
    void write_linesInParts_eachHasItsPrefixOnce() throws IOException {
        StringWriter target = new StringWriter();
        int[] count = {0};
        try (LinePrefix prefix = new LinePrefix(target, () -> ++count[0] + " ")) {
            prefix.write("on");
            prefix.write("e\ntwo\n");
            prefix.write("\nthree");
        }
        assertEquals("1 one\n2 two\n3 \n4 three", target.toString());
    }
}
