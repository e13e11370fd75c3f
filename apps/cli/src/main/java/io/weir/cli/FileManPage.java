package io.weir.cli;

import io.weir.cli.KeyReference.Block;
import io.weir.cli.KeyReference.FileKey;
import java.util.List;

/** The manual page of a file that a command reads: every key, from the file's schema. */
final class FileManPage {
    private final String name;
    private final String purpose;
    private final List<Block> blocks;

    FileManPage(String name, String purpose, List<Block> blocks) {
        this.name = name;
        this.purpose = purpose;
        this.blocks = blocks;
    }

    String fileName() {
        return name + ".5";
    }

    String text() {
        ManText page = new ManText(name, 5);
        page.section("NAME");
        page.line(name + " - " + purpose);
        page.section("DESCRIPTION");
        page.paragraphs(
                "YAML or JSON. A title in brackets refers to the part of this page with that title.",
                "A block replaces the whole block of the same name that would otherwise hold.");
        page.section("KEYS");
        blocks.forEach(block -> print(page, block));
        return page.text();
    }

    private static void print(ManText page, Block block) {
        page.part("[" + block.title() + "]");
        if (!block.description().isEmpty()) {
            page.line(block.description());
        }
        for (List<FileKey> form : block.forms()) {
            form.forEach(key -> print(page, key));
        }
    }

    private static void print(ManText page, FileKey key) {
        page.item(key.name());
        page.line(key.values() + (key.absent().isEmpty() ? "." : " (" + key.absent() + ")."));
        if (!key.meaning().isEmpty()) {
            page.line(key.meaning());
        }
    }
}
