package io.weir.nic.bpf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Reads a table of types made by hand: an integer, a structure of two members, an enumeration, and two functions. */
class KernelFunctionsTest {
    private static final int HEADER_BYTES = 24;
    private static final String NAMES = "\0first_function\0second_function\0";

    private final ByteBuffer table = table();

    private static ByteBuffer table() {
        ByteBuffer types = ByteBuffer.allocate(200).order(ByteOrder.nativeOrder());
        type(types, 1, 0, 4); // 1: an integer and its encoding
        type(types, 4, 2, 24); // 2: a structure and its members
        type(types, 6, 3, 24); // 3: an enumeration and its values
        type(types, 2, 0, 0); // 4: a pointer
        type(types, 12, 0, 0, 1); // 5: a function
        type(types, 12, 0, 0, 16); // 6: another
        byte[] names = NAMES.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer table = ByteBuffer.allocate(HEADER_BYTES + types.position() + names.length)
                .order(ByteOrder.nativeOrder());
        table.putShort((short) 0xEB9F).put((byte) 1).put((byte) 0).putInt(HEADER_BYTES);
        table.putInt(0).putInt(types.position()).putInt(types.position()).putInt(names.length);
        table.put(types.array(), 0, types.position()).put(names);
        return table;
    }

    private static void type(ByteBuffer types, int kind, int count, int detailBytes) {
        type(types, kind, count, detailBytes, 0);
    }

    private static void type(ByteBuffer types, int kind, int count, int detailBytes, int name) {
        types.putInt(name).putInt((kind << 24) | count).putInt(0);
        types.position(types.position() + detailBytes);
    }

    @Test
    void find_functions_haveTheirPlaces() {
        assertEquals(5, KernelFunctions.find(table, "first_function"));
        assertEquals(6, KernelFunctions.find(table, "second_function"));
    }

    @Test
    void find_partOfAName_isNotFound() {
        assertEquals(0, KernelFunctions.find(table, "first"));
        assertEquals(0, KernelFunctions.find(table, "function"));
    }

    @Test
    void find_truncatedAnywhere_isNotFoundOrRight() {
        for (int length = 0; length < table.capacity(); length++) {
            ByteBuffer part = table.slice(0, length).order(ByteOrder.nativeOrder());
            int found = KernelFunctions.find(part, "second_function");
            assertEquals(0, found, "cut to " + length);
        }
    }

    @Test
    void find_otherMagic_isNotFound() {
        table.putShort(0, (short) 1);
        assertEquals(0, KernelFunctions.find(table, "first_function"));
    }
}
