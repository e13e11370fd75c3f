package io.weir.nic.bpf;

import io.weir.nic.NicException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The numbers of the functions that the running kernel lets programs call: their places in its table of types (BTF),
 * which differ from build to build.
 */
final class KernelFunctions {
    private static final Path TYPES = Path.of("/sys/kernel/btf/vmlinux");
    private static final int MAGIC = 0xEB9F;
    private static final int HEADER_BYTES = 24;
    private static final int TYPE_BYTES = 12;
    private static final int KIND_FUNCTION = 12;

    private KernelFunctions() {}

    /** {@return the number of the function called {@code name} in the running kernel} */
    static int idOf(String name) throws NicException {
        ByteBuffer types;
        try {
            types = ByteBuffer.wrap(Files.readAllBytes(TYPES)).order(ByteOrder.nativeOrder());
        } catch (IOException e) {
            throw new NicException(
                    "the kernel does not tell its types (" + TYPES
                            + ": CONFIG_DEBUG_INFO_BTF), without which no program" + " calls " + name,
                    e);
        }
        int id = find(types, name);
        if (id <= 0) {
            throw new NicException(
                    "the kernel has no function " + name + " for programs to call; Linux 6.3 or newer has");
        }
        return id;
    }

    /** {@return the number of the function, or 0 when the table has none of the name or cannot be read} */
    static int find(ByteBuffer types, String name) {
        if (types.capacity() < HEADER_BYTES || (types.getShort(0) & 0xFFFF) != MAGIC) {
            return 0;
        }
        byte[] wanted = (name + "\0").getBytes(StandardCharsets.UTF_8);
        int begin = types.getInt(4) + types.getInt(8);
        int end = begin + types.getInt(12);
        int names = types.getInt(4) + types.getInt(16);
        int id = 1;
        for (int at = begin; at >= 0 && at + TYPE_BYTES <= Math.min(end, types.capacity()); id++) {
            int info = types.getInt(at + 4);
            int kind = (info >>> 24) & 0x1F;
            if (kind == KIND_FUNCTION && isAt(types, names + types.getInt(at), wanted)) {
                return id;
            }
            at += TYPE_BYTES + detailBytes(kind, info & 0xFFFF);
        }
        return 0;
    }

    private static boolean isAt(ByteBuffer bytes, int at, byte[] wanted) {
        if (at < 0 || at + wanted.length > bytes.capacity()) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (bytes.get(at + i) != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    /** What follows a type of this kind: its members, values, parameters, bounds. */
    private static int detailBytes(int kind, int count) {
        return switch (kind) {
            case 1, 14, 17 -> 4; // integer, variable, declaration tag
            case 3 -> 12; // array
            case 4, 5, 15, 19 -> 12 * count; // structure, union, data section, 64-bit enumeration
            case 6, 13 -> 8 * count; // enumeration, function prototype
            default -> 0;
        };
    }
}
