package io.weir.transport.protocol.catalogue;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.testing.Document;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that each protocol of the catalogue has its page, and that readers find it; what is in it, other tests compare. */
class ProtocolPagesTest {
    static List<ProtocolKind> kinds() {
        return Catalogue.KINDS;
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void page_ofEachProtocol_isThere(ProtocolKind kind) {
        String name = "docs/protocols/" + kind + ".md";
        assertTrue(
                Files.exists(Document.root().resolve(name)),
                name + " is missing; docs/ADDING-A-PROTOCOL.md says what is in it");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void readme_ofEachProtocol_linksToItsPage(ProtocolKind kind) {
        String link = "docs/protocols/" + kind + ".md";
        assertTrue(Document.read("README.md").contains(link), "README.md has no link to " + link);
    }
}
