package io.weir.nic.bpf;

import io.weir.nic.NicException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the sections and symbols of a relocatable 64-bit little-endian ELF file for BPF, checking every offset before
 * it is used, so that a damaged file is refused with the place of the damage.
 */
final class ElfReader {
    static final int TYPE_PROGBITS = 1;
    static final int TYPE_SYMBOLS = 2;
    static final int TYPE_NO_BITS = 8;
    static final int TYPE_RELOCATIONS = 9;
    static final int FLAG_EXECUTABLE = 4;

    private static final int HEADER_BYTES = 64;
    private static final int SECTION_HEADER_BYTES = 64;
    private static final int SYMBOL_BYTES = 24;
    private static final long MAGIC_64_LITTLE_ENDIAN = 0x01_02_46_4C_45_7FL;
    private static final long IDENT_MASK = 0xFFFF_FFFF_FFFFL;
    private static final int FILE_TYPE_RELOCATABLE = 1;
    private static final int MACHINE_BPF = 247;

    private final ByteBuffer file;
    private final List<Section> sections = new ArrayList<>();
    private final List<Symbol> symbols = new ArrayList<>();

    /** A section: where its bytes lie, all of them inside the file. */
    record Section(int index, String name, int type, int flags, int offset, int lengthBytes, int info) {}

    /** A symbol: a name for an offset in a section. */
    record Symbol(String name, int sectionIndex, long value) {}

    ElfReader(byte[] bytes) throws NicException {
        file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        require(bytes.length >= HEADER_BYTES, "the file has " + bytes.length + " bytes, its header alone 64");
        require((file.getLong(0) & IDENT_MASK) == MAGIC_64_LITTLE_ENDIAN, "it is not 64-bit little-endian ELF");
        require(file.getShort(16) == FILE_TYPE_RELOCATABLE, "it is not a relocatable object");
        require(file.getShort(18) == MACHINE_BPF, "its machine is " + file.getShort(18) + ", not BPF");
        readSections();
        readSymbols();
    }

    List<Section> sections() {
        return sections;
    }

    /** {@return the section called {@code name}} */
    Section section(String name) throws NicException {
        for (Section section : sections) {
            if (section.name().equals(name)) {
                return section;
            }
        }
        throw damaged("it has no section " + name);
    }

    List<Symbol> symbols() {
        return symbols;
    }

    /** {@return symbol number {@code index}} */
    Symbol symbol(long index) throws NicException {
        require(index >= 0 && index < symbols.size(), "symbol " + index + " of " + symbols.size());
        return symbols.get((int) index);
    }

    /** {@return the bytes of a section} */
    ByteBuffer bytes(Section section) {
        return file.slice(section.offset(), section.lengthBytes()).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Refuses the file, saying what is wrong with it, unless {@code condition} holds. */
    static void require(boolean condition, String finding) throws NicException {
        if (!condition) {
            throw damaged(finding);
        }
    }

    static NicException damaged(String finding) {
        return new NicException("the XDP object is damaged: " + finding + "; reinstall weir-native, or rebuild it with"
                + " native/build.sh");
    }

    private void readSections() throws NicException {
        long tableOffset = file.getLong(40);
        int entryBytes = file.getShort(58);
        int count = file.getShort(60) & 0xFFFF;
        int namesIndex = file.getShort(62) & 0xFFFF;
        require(entryBytes == SECTION_HEADER_BYTES, "section headers have " + entryBytes + " bytes, not 64");
        requireInside(tableOffset, (long) count * SECTION_HEADER_BYTES, "the section table");
        require(namesIndex < count, "section names are in section " + namesIndex + " of " + count);
        int namesHeader = (int) tableOffset + namesIndex * SECTION_HEADER_BYTES;
        for (int i = 0; i < count; i++) {
            int header = (int) tableOffset + i * SECTION_HEADER_BYTES;
            int type = file.getInt(header + 4);
            long offset = file.getLong(header + 24);
            long length = type == TYPE_NO_BITS || type == 0 ? 0 : file.getLong(header + 32);
            requireInside(offset, length, "section " + i);
            String name = text(namesHeader, file.getInt(header));
            int flags = (int) file.getLong(header + 8);
            int info = file.getInt(header + 44);
            sections.add(new Section(i, name, type, flags, (int) offset, (int) length, info));
        }
    }

    private void readSymbols() throws NicException {
        for (Section section : sections) {
            if (section.type() != TYPE_SYMBOLS) {
                continue;
            }
            int namesIndex = file.getInt((int) file.getLong(40) + section.index() * SECTION_HEADER_BYTES + 40);
            require(namesIndex >= 0 && namesIndex < sections.size(), "symbol names are in section " + namesIndex);
            require(section.lengthBytes() % SYMBOL_BYTES == 0, "the symbol table is cut off");
            int namesHeader = (int) file.getLong(40) + namesIndex * SECTION_HEADER_BYTES;
            ByteBuffer table = bytes(section);
            for (int at = 0; at < section.lengthBytes(); at += SYMBOL_BYTES) {
                String name = text(namesHeader, table.getInt(at));
                symbols.add(new Symbol(name, table.getShort(at + 6) & 0xFFFF, table.getLong(at + 8)));
            }
            return;
        }
        throw damaged("it has no symbol table");
    }

    /** The zero-terminated text at {@code start} of the section whose header lies at {@code header}. */
    private String text(int header, int start) throws NicException {
        long offset = file.getLong(header + 24);
        long length = file.getLong(header + 32);
        requireInside(offset, length, "a table of names");
        require(start >= 0 && start < length, "a name begins at " + start + " of " + length);
        int end = (int) offset + start;
        while (end < offset + length && file.get(end) != 0) {
            end++;
        }
        require(end < offset + length, "a name does not end");
        int begin = (int) offset + start;
        return new String(file.array(), begin, end - begin, StandardCharsets.UTF_8);
    }

    private void requireInside(long offset, long length, String what) throws NicException {
        boolean inside = offset >= 0 && length >= 0 && offset <= file.capacity() && length <= file.capacity() - offset;
        require(inside, what + " takes " + length + " bytes at " + offset + " of " + file.capacity());
    }
}
