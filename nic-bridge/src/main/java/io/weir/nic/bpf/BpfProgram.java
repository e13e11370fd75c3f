package io.weir.nic.bpf;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One of Weir's XDP programs in the kernel, with its maps. It runs while attached, and vanishes when closed or
 * when the process ends: nothing is pinned, and the attachment is a link.
 */
public final class BpfProgram implements AutoCloseable {
    private static final int LOG_BYTES = 1 << 18;
    private static final int REGISTERS_OFFSET = 1;
    private static final int IMMEDIATE_OFFSET = 4;
    private static final int SOURCE_IS_MAP_DESCRIPTOR = 1 << 4;
    private static final int SOURCE_MASK = 0xF0;
    private static final int SOURCE_IS_KERNEL_FUNCTION = 2 << 4;
    private static final int NONE = -1;
    private static final String REMEDY =
            "needs CAP_BPF, CAP_PERFMON and CAP_NET_ADMIN (or root) and a kernel of 5.9 or newer";
    private static final String FILTER_REMEDY =
            "; a filter of system calls (seccomp) is on: it must allow bpf(); for containers see docs/deploy/Dockerfile";

    private final String name;
    private final int interfaceIndex;
    private final boolean takesScattered;
    private final Map<String, Integer> mapDescriptors = new LinkedHashMap<>();
    private int programFd = NONE;
    private int linkFd = NONE;

    private BpfProgram(String name, int interfaceIndex, boolean takesScattered) {
        this.name = name;
        this.interfaceIndex = interfaceIndex;
        this.takesScattered = takesScattered;
    }

    /** {@return the bundled program {@code name}, loaded with empty maps and not attached yet} */
    public static BpfProgram load(String name) throws NicException {
        return load(name, false);
    }

    /**
     * {@return the bundled program {@code name}, loaded with empty maps and not attached yet}
     *
     * @param takesScattered whether it may be handed frames that lie in several pieces, as those of large MTUs do: any
     *     kernel of 5.18 or newer
     */
    public static BpfProgram load(String name, boolean takesScattered) throws NicException {
        return load(BpfObject.bundled(BpfObject.PLAIN).program(name), 0, takesScattered);
    }

    /**
     * {@return the bundled program {@code name}, which asks the device with this index for time stamps: loaded for it
     * alone}
     *
     * @param takesScattered as of {@link #load(String, boolean)}
     * @throws NicException if the kernel or the driver cannot do that
     */
    public static BpfProgram loadForStamps(String name, int interfaceIndex, boolean takesScattered)
            throws NicException {
        return load(BpfObject.bundled(BpfObject.STAMPS).program(name), interfaceIndex, takesScattered);
    }

    static BpfProgram load(ProgramImage image) throws NicException {
        return load(image, 0, false);
    }

    private static BpfProgram load(ProgramImage image, int interfaceIndex, boolean takesScattered) throws NicException {
        BpfProgram program = new BpfProgram(image.name(), interfaceIndex, takesScattered);
        try {
            program.createMaps(image);
            program.loadInto(image);
            return program;
        } catch (NicException e) {
            program.close();
            throw e;
        }
    }

    /** Sets entry {@code key} of a map whose keys are numbers. */
    public void update(String mapName, int key, UnsafeBuffer value) throws NicException {
        UnsafeBuffer keyBuffer = NativeMemory.allocate(Integer.BYTES);
        keyBuffer.putInt(0, key);
        int result = BpfCalls.updateMap(mapDescriptors.get(mapName), keyBuffer, value);
        if (result < 0) {
            throw refusal(result, "set entry " + key + " of map " + mapName);
        }
    }

    /** {@return entry {@code key} of a map whose keys are numbers and whose values have 64 bits, or 0 without one} */
    public long word(String mapName, int key) {
        UnsafeBuffer keyBuffer = NativeMemory.allocate(Integer.BYTES);
        keyBuffer.putInt(0, key);
        UnsafeBuffer value = NativeMemory.allocate(Long.BYTES);
        Integer map = mapDescriptors.get(mapName);
        return map != null && BpfCalls.lookUp(map, keyBuffer, value) >= 0 ? value.getLong(0) : 0;
    }

    /** {@return what sets words of a map whose keys are numbers and whose values have 64 bits} */
    public MapWord words(String mapName) {
        return new MapWord(mapName, mapDescriptors.get(mapName));
    }

    /** Sets the entry of a map that has the bytes {@code key}. */
    public void update(String mapName, UnsafeBuffer key, UnsafeBuffer value) throws NicException {
        check(BpfCalls.updateMap(mapDescriptors.get(mapName), key, value), "set an entry of map " + mapName);
    }

    /** Removes entry {@code key} of a map whose keys are numbers, where it has one. */
    public void remove(String mapName, int key) {
        UnsafeBuffer keyBuffer = NativeMemory.allocate(Integer.BYTES);
        keyBuffer.putInt(0, key);
        Integer map = mapDescriptors.get(mapName);
        if (map != null) {
            BpfCalls.deleteFromMap(map, keyBuffer);
        }
    }

    /** Removes the entry of a map that has the bytes {@code key}. */
    public void remove(String mapName, UnsafeBuffer key) throws NicException {
        check(BpfCalls.deleteFromMap(mapDescriptors.get(mapName), key), "remove an entry of map " + mapName);
    }

    private static void check(int result, String attempt) throws NicException {
        if (result < 0) {
            throw refusal(result, attempt);
        }
    }

    static NicException refusal(int result, String attempt) {
        return new NicException(-result, attempt, "is the program closed?");
    }

    /**
     * Tries to attach the program to an interface of the calling thread's network namespace.
     *
     * @param flags the kernel's flags for the mode
     * @return 0, or minus the error number with which the kernel refused
     */
    public int attach(int interfaceIndex, int flags) {
        int result = BpfCalls.createLink(programFd, interfaceIndex, flags);
        if (result < 0) {
            return result;
        }
        linkFd = result;
        return 0;
    }

    /**
     * Takes the program off its interface and tries to attach it in another mode; where the kernel refuses that, the
     * program is on no interface.
     *
     * @return 0, or minus the error number with which the kernel refused
     */
    public int attachAgain(int interfaceIndex, int flags) {
        linkFd = closed(linkFd);
        return attach(interfaceIndex, flags);
    }

    /** Takes the program off its interface, as any process with the right may do to it, and keeps the rest. */
    public void detach() {
        BpfCalls.detachLink(linkFd);
    }

    /** Takes the program off its interface at once and gives everything back. */
    @Override
    public void close() {
        linkFd = closed(linkFd);
        programFd = closed(programFd);
        mapDescriptors.values().forEach(Libc::close);
        mapDescriptors.clear();
    }

    private void createMaps(ProgramImage image) throws NicException {
        for (ProgramImage.MapReference reference : image.mapReferences()) {
            MapDefinition map = reference.map();
            if (mapDescriptors.containsKey(map.name())) {
                continue;
            }
            int fd = BpfCalls.createMap(map);
            // Kernels before 5.11 charge maps to the limit of locked memory.
            if (fd == -Errno.EPERM.number() && Libc.raiseLockedMemoryLimit() == 0) {
                fd = BpfCalls.createMap(map);
            }
            if (fd < 0) {
                throw new NicException(-fd, "create map " + map.name(), remedy(-fd));
            }
            mapDescriptors.put(map.name(), fd);
        }
    }

    private void loadInto(ProgramImage image) throws NicException {
        byte[] instructions = image.copyInstructions();
        UnsafeBuffer code = new UnsafeBuffer(instructions);
        for (ProgramImage.MapReference reference : image.mapReferences()) {
            int at = reference.offset();
            code.putByte(
                    at + REGISTERS_OFFSET, (byte) (code.getByte(at + REGISTERS_OFFSET) | SOURCE_IS_MAP_DESCRIPTOR));
            code.putInt(
                    at + IMMEDIATE_OFFSET, mapDescriptors.get(reference.map().name()));
        }
        for (ProgramImage.KernelCall call : image.kernelCalls()) {
            int at = call.offset();
            int registers = code.getByte(at + REGISTERS_OFFSET) & ~SOURCE_MASK;
            code.putByte(at + REGISTERS_OFFSET, (byte) (registers | SOURCE_IS_KERNEL_FUNCTION));
            code.putInt(at + IMMEDIATE_OFFSET, KernelFunctions.idOf(call.function()));
        }
        programFd = BpfCalls.loadProgram(image, instructions, interfaceIndex, takesScattered, null);
        // Kernels before 5.11 charge programs to the limit of locked memory too.
        if (programFd == -Errno.EPERM.number() && Libc.raiseLockedMemoryLimit() == 0) {
            programFd = BpfCalls.loadProgram(image, instructions, interfaceIndex, takesScattered, null);
        }
        if (programFd < 0) {
            throw refused(image, instructions, -programFd);
        }
    }

    /**
     * {@return what to do; a container's filter, and before Linux 5.11 too little lockable memory, refuse with the same
     * number as a missing capability}
     */
    private static String remedy(int errno) {
        if (errno != Errno.EPERM.number()) {
            return REMEDY;
        }
        long limitBytes = Libc.lockedMemoryLimitBytes();
        return REMEDY
                + (limitBytes < 0
                        ? ""
                        : "; before Linux 5.11 the limit of locked memory, " + limitBytes
                                + " bytes here, refuses maps and programs too: grant CAP_SYS_RESOURCE or raise it"
                                + " (LimitMEMLOCK= of a systemd unit, ulimit -l)")
                + (Libc.hasSyscallFilter() ? FILTER_REMEDY : "");
    }

    private NicException refused(ProgramImage image, byte[] instructions, int errno) {
        programFd = NONE;
        String attempt = "load XDP program " + name;
        if (errno == Errno.EPERM.number()) {
            return new NicException(errno, attempt, remedy(errno));
        }
        UnsafeBuffer log = NativeMemory.allocate(LOG_BYTES);
        int second = BpfCalls.loadProgram(image, instructions, interfaceIndex, takesScattered, log);
        if (second >= 0) {
            Libc.close(second);
        }
        String text = NativeMemory.textAt(log, 0, LOG_BYTES).strip();
        return new NicException(errno, attempt, REMEDY + "; the kernel's verifier says:\n" + text);
    }

    private static int closed(int fd) {
        if (fd >= 0) {
            Libc.close(fd);
        }
        return NONE;
    }
}
