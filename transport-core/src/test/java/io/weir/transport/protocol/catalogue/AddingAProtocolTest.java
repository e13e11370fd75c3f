package io.weir.transport.protocol.catalogue;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Document;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that docs/ADDING-A-PROTOCOL.md shows its example as it is in the source. */
class AddingAProtocolTest {
    private static final String NAME = "docs/ADDING-A-PROTOCOL.md";
    private static final String MAIN = "transport-core/src/main/java/io/weir/transport/protocol/";
    private static final String TEST = "transport-core/src/test/java/io/weir/transport/protocol/";
    private static final Pattern CLASS = Pattern.compile("(?ms)^/\\*\\*.*");
    private static final Pattern LINE =
            Pattern.compile("(?ms)^    public static final List<ProtocolKind> KINDS =.*?;$");
    private static final Pattern METHOD =
            Pattern.compile("(?ms)^    @Test\\n    void window_afterALoss_halves.*?^    \\}$");

    private static void requireShown(String block, String source, Pattern part) {
        Matcher found = part.matcher(Document.read(source));
        assertTrue(found.find(), source + " has no " + part);
        boolean isMember = found.group().startsWith(" ");
        String code = (isMember ? found.group().replaceAll("(?m)^    ", "") : found.group()).strip();
        Document.requireBlock(NAME, block, "```java\n" + code + "\n```\n");
    }

    @Test
    void protocol_shown_isTheWholeCode() {
        requireShown("protocol", MAIN + "peers/NewReno.java", CLASS);
    }

    @Test
    void line_shown_isTheCatalogues() {
        requireShown("line", MAIN + "catalogue/Catalogue.java", LINE);
    }

    @Test
    void test_shown_isOneOfItsTests() {
        requireShown("test", TEST + "peers/NewRenoTest.java", METHOD);
    }
}
