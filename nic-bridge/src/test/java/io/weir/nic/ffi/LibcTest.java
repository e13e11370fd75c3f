package io.weir.nic.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.Errno;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link Libc} with calls that need no rights. */
@EnabledOnOs(OS.LINUX)
class LibcTest {
    private static final int PAGE_BYTES = 4096;

    @Test
    void close_badDescriptor_givesMinusTheErrorNumber() {
        assertEquals(-Errno.EBADF.number(), Libc.close(-1));
    }

    @Test
    void open_missingFile_givesMinusTheErrorNumber() {
        assertEquals(-Errno.ENOENT.number(), Libc.open("/no/such/file", Libc.O_RDONLY_CLOEXEC));
    }

    @Test
    void mmap_secondPage_mapsThatPage(@TempDir Path folder) throws Exception {
        // The sixth argument is the one that a foreign-function library is most likely to lose.
        byte[] pages = new byte[2 * PAGE_BYTES];
        pages[PAGE_BYTES] = 42;
        Path file = Files.write(folder.resolve("pages"), pages);
        int fd = Libc.open(file.toString(), 2);
        long address = Libc.mmap(fd, PAGE_BYTES, PAGE_BYTES);
        assertTrue(address > 0, () -> Errno.describe((int) -address));
        assertEquals(42, new UnsafeBuffer(address, PAGE_BYTES).getByte(0));
        assertEquals(0, Libc.munmap(address, PAGE_BYTES));
        assertEquals(0, Libc.close(fd));
    }

    @Test
    void hasSyscallFilter_thisThread_isWhatTheKernelTellsOfIt() throws Exception {
        boolean isFiltered =
                Files.readAllLines(Path.of("/proc/thread-self/status")).contains("Seccomp:\t2");
        assertEquals(isFiltered, Libc.hasSyscallFilter());
    }

    @Test
    void eventfd_writeThenRead_givesTheSum() {
        int fd = Libc.eventfd();
        UnsafeBuffer value = NativeMemory.allocate(Long.BYTES);
        value.putLong(0, 3);
        assertEquals(Long.BYTES, Libc.writeLong(fd, NativeMemory.address(value)));
        assertEquals(Long.BYTES, Libc.writeLong(fd, NativeMemory.address(value)));
        assertEquals(Long.BYTES, Libc.readLong(fd, NativeMemory.address(value)));
        assertEquals(6, value.getLong(0));
        assertEquals(-Errno.EAGAIN.number(), Libc.readLong(fd, NativeMemory.address(value)));
        Libc.close(fd);
    }

    @Test
    void getsockopt_typeOfSocket_givesLengthAndValue() {
        int fd = Libc.socket(Libc.AF_INET, Libc.SOCK_DGRAM, 0);
        UnsafeBuffer value = NativeMemory.allocate(Integer.BYTES);
        assertEquals(Integer.BYTES, Libc.getsockopt(fd, Libc.SOL_SOCKET, 3, value));
        assertEquals(Libc.SOCK_DGRAM, value.getInt(0));
        Libc.close(fd);
    }

    @Test
    void textAt_zeroTerminated_endsThere() {
        assertEquals("weir0", NativeMemory.textAt(NativeMemory.text("weir0"), 0, 6));
    }
}
