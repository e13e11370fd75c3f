package io.weir.transport.protocol.catalogue;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.testing.Document;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that each protocol of the catalogue has its page, or its part of the peers' page, and that readers find it. */
class ProtocolPagesTest {
    private static final String PEERS = "docs/protocols/peers.md";

    static List<ProtocolKind> kinds() {
        return Catalogue.KINDS;
    }

    /** {@return the page that has a protocol: one that is named like it, or else that of the peers} */
    static String pageOf(ProtocolKind kind) {
        String name = "docs/protocols/" + kind.id().name() + ".md";
        return Files.exists(Document.root().resolve(name)) ? name : PEERS;
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void page_ofEachProtocol_isThere(ProtocolKind kind) {
        String page = pageOf(kind);
        String heading = "\n## " + kind.id().name() + "\n";
        assertTrue(
                !page.equals(PEERS)
                        || Document.read(page).toLowerCase(Locale.ROOT).contains(heading),
                kind + " has no page and no part of " + PEERS + "; docs/ADDING-A-PROTOCOL.md says what is in it");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void readme_ofEachProtocol_linksToItsPage(ProtocolKind kind) {
        String link = "](" + pageOf(kind) + ")";
        assertTrue(Document.read("README.md").contains(link), "README.md has no link to " + link);
    }
}
