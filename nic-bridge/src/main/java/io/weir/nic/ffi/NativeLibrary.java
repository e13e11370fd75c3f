package io.weir.nic.ffi;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import jnr.ffi.LibraryLoader;

/** Loads shared libraries that come as resources of a jar, and looks at memory that they have. */
public final class NativeLibrary {
    private NativeLibrary() {}

    /**
     * {@return the functions of the library that is resource {@code name} of {@code owner}'s package, or null if there
     * is no such}
     *
     * @param <T> the functions' interface
     * @throws UnsatisfiedLinkError if a library that it needs is missing
     */
    public static <T> T load(Class<?> owner, String name, Class<T> functions) throws IOException {
        try (InputStream resource = owner.getResourceAsStream(name)) {
            if (resource == null) {
                return null;
            }
            Path folder = Files.createTempDirectory("weir-native-");
            Path file = folder.resolve(name);
            try {
                Files.copy(resource, file, StandardCopyOption.REPLACE_EXISTING);
                // Loaded at once, so that the file may go: nothing stays behind even after kill -9.
                return LibraryLoader.create(functions).failImmediately().load(file.toString());
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(folder);
            }
        }
    }

    /** {@return a buffer over {@code lengthBytes} of memory at an address, which must outlive it} */
    public static ByteBuffer memory(long address, int lengthBytes) {
        return com.kenai.jffi.MemoryIO.getInstance().newDirectByteBuffer(address, lengthBytes);
    }
}
