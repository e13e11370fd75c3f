package io.weir.nic.bpf;

import io.weir.nic.Errno;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;
import org.agrona.concurrent.UnsafeBuffer;

/** The commands of bpf(2) that the loader needs; each returns what the kernel returned, errors negative. */
final class BpfCalls {
    private static final int MAP_CREATE = 0;
    private static final int MAP_LOOKUP = 1;
    private static final int MAP_UPDATE = 2;
    private static final int MAP_DELETE = 3;
    private static final int PROGRAM_LOAD = 5;
    private static final int PROGRAM_OPEN = 13;
    private static final int INFORM = 15;
    private static final int LINK_CREATE = 28;
    private static final int LINK_DETACH = 34;
    private static final int PROGRAM_TYPE_XDP = 6;
    private static final int ATTACH_TYPE_XDP = 37;
    private static final int FLAG_TAKES_SCATTERED = 1 << 5;
    private static final int FLAG_BOUND_TO_DEVICE = 1 << 6;
    private static final int INSTRUCTION_BYTES = 8;
    private static final int ATTRIBUTES_BYTES = 128;
    private static final int INFORMATION_BYTES = 128;
    private static final int INFORMATION_NAME_OFFSET = 64;
    /** The kernel keeps 15 bytes and a zero. */
    private static final int NAME_BYTES_MAX = 15;
    /** libbpf gives up after five; a profiler that sends a signal each millisecond needs more. */
    static final int ATTEMPTS_MAX = 50;

    private BpfCalls() {}

    static int createMap(MapDefinition map) {
        UnsafeBuffer attributes = NativeMemory.allocate(ATTRIBUTES_BYTES);
        attributes.putInt(0, map.type());
        attributes.putInt(4, map.keyBytes());
        attributes.putInt(8, map.valueBytes());
        attributes.putInt(12, map.entryCount());
        attributes.putInt(16, map.flags());
        putName(attributes, 28, map.name());
        return Libc.bpf(MAP_CREATE, attributes);
    }

    static int updateMap(int mapFd, UnsafeBuffer key, UnsafeBuffer value) {
        try {
            return updateMap(updateAttributes(mapFd, key, value));
        } finally {
            Reference.reachabilityFence(key);
            Reference.reachabilityFence(value);
        }
    }

    /** {@return what {@link #updateMap(UnsafeBuffer)} takes: it holds the addresses of key and value and not them} */
    static UnsafeBuffer updateAttributes(int mapFd, UnsafeBuffer key, UnsafeBuffer value) {
        UnsafeBuffer attributes = NativeMemory.allocate(ATTRIBUTES_BYTES);
        attributes.putInt(0, mapFd);
        attributes.putLong(8, NativeMemory.address(key));
        attributes.putLong(16, NativeMemory.address(value));
        return attributes;
    }

    static int updateMap(UnsafeBuffer attributes) {
        return Libc.bpf(MAP_UPDATE, attributes);
    }

    static int lookUp(int mapFd, UnsafeBuffer key, UnsafeBuffer value) {
        try {
            return Libc.bpf(MAP_LOOKUP, updateAttributes(mapFd, key, value));
        } finally {
            Reference.reachabilityFence(key);
            Reference.reachabilityFence(value);
        }
    }

    static int deleteFromMap(int mapFd, UnsafeBuffer key) {
        UnsafeBuffer attributes = NativeMemory.allocate(ATTRIBUTES_BYTES);
        attributes.putInt(0, mapFd);
        attributes.putLong(8, NativeMemory.address(key));
        try {
            return Libc.bpf(MAP_DELETE, attributes);
        } finally {
            Reference.reachabilityFence(key);
        }
    }

    /**
     * Has the kernel verify and load a program.
     *
     * @param interfaceIndex the device that it is bound to and may ask things, or 0 for none
     * @param takesScattered whether it may be handed frames that lie in several parts, of which it sees the first
     * @param log where the verifier's reasoning goes, or null
     */
    static int loadProgram(
            ProgramImage image, byte[] instructions, int interfaceIndex, boolean takesScattered, UnsafeBuffer log) {
        UnsafeBuffer code = NativeMemory.allocate(instructions.length);
        code.putBytes(0, instructions);
        UnsafeBuffer license = NativeMemory.text(image.license());
        UnsafeBuffer attributes = NativeMemory.allocate(ATTRIBUTES_BYTES);
        attributes.putInt(0, PROGRAM_TYPE_XDP);
        attributes.putInt(4, instructions.length / INSTRUCTION_BYTES);
        attributes.putLong(8, NativeMemory.address(code));
        attributes.putLong(16, NativeMemory.address(license));
        if (log != null) {
            attributes.putInt(24, 1);
            attributes.putInt(28, log.capacity());
            attributes.putLong(32, NativeMemory.address(log));
        }
        attributes.putInt(
                44, (interfaceIndex == 0 ? 0 : FLAG_BOUND_TO_DEVICE) | (takesScattered ? FLAG_TAKES_SCATTERED : 0));
        putName(attributes, 48, LoadedProgram.PREFIX + image.name());
        attributes.putInt(64, interfaceIndex);
        attributes.putInt(68, ATTACH_TYPE_XDP);
        try {
            return uninterrupted(() -> Libc.bpf(PROGRAM_LOAD, attributes));
        } finally {
            Reference.reachabilityFence(code);
            Reference.reachabilityFence(license);
            Reference.reachabilityFence(log);
        }
    }

    /**
     * {@return what the call returns when no signal comes while the kernel's verifier works} It stops at one with
     * EAGAIN, and a process that is profiled gets thousands.
     */
    static int uninterrupted(IntSupplier call) {
        int result = call.getAsInt();
        for (int i = 1; i < ATTEMPTS_MAX && result == -Errno.EAGAIN.number(); i++) {
            result = call.getAsInt();
        }
        return result;
    }

    /** {@return the name that a program's loader gave it, or empty where the kernel does not tell this process} */
    static String programName(int programId) {
        UnsafeBuffer attributes = NativeMemory.allocate(ATTRIBUTES_BYTES);
        attributes.putInt(0, programId);
        int fd = Libc.bpf(PROGRAM_OPEN, attributes);
        if (fd < 0) {
            return "";
        }
        UnsafeBuffer information = NativeMemory.allocate(INFORMATION_BYTES);
        UnsafeBuffer request = NativeMemory.allocate(ATTRIBUTES_BYTES);
        request.putInt(0, fd);
        request.putInt(4, INFORMATION_BYTES);
        request.putLong(8, NativeMemory.address(information));
        try {
            return Libc.bpf(INFORM, request) < 0
                    ? ""
                    : NativeMemory.textAt(information, INFORMATION_NAME_OFFSET, NAME_BYTES_MAX);
        } finally {
            Reference.reachabilityFence(information);
            Libc.close(fd);
        }
    }

    static int createLink(int programFd, int interfaceIndex, int flags) {
        UnsafeBuffer attributes = NativeMemory.allocate(ATTRIBUTES_BYTES);
        attributes.putInt(0, programFd);
        attributes.putInt(4, interfaceIndex);
        attributes.putInt(8, ATTACH_TYPE_XDP);
        attributes.putInt(12, flags);
        return Libc.bpf(LINK_CREATE, attributes);
    }

    static int detachLink(int linkFd) {
        UnsafeBuffer attributes = NativeMemory.allocate(ATTRIBUTES_BYTES);
        attributes.putInt(0, linkFd);
        return Libc.bpf(LINK_DETACH, attributes);
    }

    private static void putName(UnsafeBuffer attributes, int offset, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        attributes.putBytes(offset, bytes, 0, Math.min(bytes.length, NAME_BYTES_MAX));
    }
}
