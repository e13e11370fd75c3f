package io.weir.nic.ffi;

import io.weir.nic.NicException;

/** The operating systems and processors whose structure layouts and call numbers Weir knows. */
public final class Platform {
    private static final String SYSTEM = System.getProperty("os.name");
    private static final String PROCESSOR = System.getProperty("os.arch");

    private Platform() {}

    /** Refuses a system on which the calls of {@link Libc} would mean something else. */
    public static void require() throws NicException {
        if (!isKnown()) {
            throw new NicException("AF_XDP needs Linux on x86-64 or aarch64; this is " + SYSTEM + " on " + PROCESSOR
                    + "; use the memory backend here");
        }
    }

    /** {@return whether the calls of {@link Libc} mean here what they say} */
    public static boolean isKnown() {
        return "Linux".equals(SYSTEM) && bpfCallNumber() >= 0;
    }

    static long bpfCallNumber() {
        return switch (PROCESSOR) {
            case "amd64", "x86_64" -> 321;
            case "aarch64" -> 280;
            default -> -1;
        };
    }

    /** {@return where {@code struct epoll_event} has its data: it is packed on x86-64 alone} */
    static int epollDataOffset() {
        return "aarch64".equals(PROCESSOR) ? Long.BYTES : Integer.BYTES;
    }

    static long mmapCallNumber() {
        return switch (PROCESSOR) {
            case "amd64", "x86_64" -> 9;
            case "aarch64" -> 222;
            default -> -1;
        };
    }

    static long schedSetAttributesCallNumber() {
        return switch (PROCESSOR) {
            case "amd64", "x86_64" -> 314;
            case "aarch64" -> 274;
            default -> -1;
        };
    }

    static long schedGetAttributesCallNumber() {
        return switch (PROCESSOR) {
            case "amd64", "x86_64" -> 315;
            case "aarch64" -> 275;
            default -> -1;
        };
    }
}
