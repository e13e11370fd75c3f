package io.weir.cli;

import io.weir.cli.KeyReference.Block;
import io.weir.cli.KeyReference.FileKey;
import java.util.List;
import java.util.regex.Pattern;

/** The keys of a file as text for a terminal. */
final class KeyText {
    private static final int COLUMNS = 100;
    /** Not within brackets, so that a title can be searched for. */
    private static final Pattern BREAK = Pattern.compile(" +(?![^\\[]*\\])");

    private final StringBuilder text = new StringBuilder();

    private KeyText() {}

    /** {@return the blocks, one below the other, each behind its title in brackets} */
    static String of(List<Block> blocks) {
        KeyText printed = new KeyText();
        blocks.forEach(printed::block);
        return printed.text.substring(1);
    }

    private void block(Block block) {
        text.append("\n[").append(block.title()).append("]\n");
        wrap("  ", block.description());
        for (List<FileKey> form : block.forms()) {
            text.append('\n');
            form.forEach(this::key);
        }
    }

    private void key(FileKey key) {
        String absent = key.absent().isEmpty() ? "" : " (" + key.absent() + ")";
        wrap("  ", key.name() + ": " + key.values() + absent);
        wrap("      ", key.meaning());
    }

    /** Lines after the first are indented as far as the first. */
    private void wrap(String indent, String sentences) {
        if (sentences.isEmpty()) {
            return;
        }
        int column = 0;
        for (String word : BREAK.split(sentences, -1)) {
            if (column > 0 && column + 1 + word.length() > COLUMNS) {
                text.append('\n');
                column = 0;
            }
            text.append(column == 0 ? indent : " ").append(word);
            column += (column == 0 ? indent.length() : 1) + word.length();
        }
        text.append('\n');
    }
}
