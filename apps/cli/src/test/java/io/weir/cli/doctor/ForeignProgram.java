package io.weir.cli.doctor;

import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/** An XDP program that lets every frame pass, on an interface until it is closed. It is none of Weir's. */
final class ForeignProgram implements AutoCloseable {
    private static final int PROGRAM_LOAD = 5;
    private static final int LINK_CREATE = 28;
    private static final int TYPE_XDP = 6;
    private static final int ATTACH_XDP = 37;
    private static final int FLAG_GENERIC = 1 << 1;
    /** Move 2, which is to pass, into the register of what is returned; exit. */
    private static final long[] CODE = {0x0000_0002_0000_00B7L, 0x0000_0000_0000_0095L};

    private final int programFd;
    private final int linkFd;

    private ForeignProgram(int programFd, int linkFd) {
        this.programFd = programFd;
        this.linkFd = linkFd;
    }

    /** Puts one on an interface of the calling thread's network namespace. */
    static ForeignProgram attach(int interfaceIndex) {
        UnsafeBuffer code = NativeMemory.allocate(CODE.length * Long.BYTES);
        code.putLong(0, CODE[0]);
        code.putLong(Long.BYTES, CODE[1]);
        UnsafeBuffer license = NativeMemory.text("GPL");
        UnsafeBuffer load = NativeMemory.allocate(128);
        load.putInt(0, TYPE_XDP);
        load.putInt(4, CODE.length);
        load.putLong(8, NativeMemory.address(code));
        load.putLong(16, NativeMemory.address(license));
        load.putBytes(48, "passes_all".getBytes(StandardCharsets.US_ASCII));
        load.putInt(68, ATTACH_XDP);
        int programFd;
        try {
            programFd = required(Libc.bpf(PROGRAM_LOAD, load));
        } finally {
            Reference.reachabilityFence(code);
            Reference.reachabilityFence(license);
        }
        UnsafeBuffer link = NativeMemory.allocate(128);
        link.putInt(0, programFd);
        link.putInt(4, interfaceIndex);
        link.putInt(8, ATTACH_XDP);
        link.putInt(12, FLAG_GENERIC);
        return new ForeignProgram(programFd, required(Libc.bpf(LINK_CREATE, link)));
    }

    private static int required(int result) {
        if (result < 0) {
            throw new AssertionError("bpf: error " + -result);
        }
        return result;
    }

    @Override
    public void close() {
        Libc.close(linkFd);
        Libc.close(programFd);
    }
}
