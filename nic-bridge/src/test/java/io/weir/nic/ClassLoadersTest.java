package io.weir.nic;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests that backends are found where a thread's loader does not see them. */
class ClassLoadersTest {
    @Test
    void open_threadWhoseLoaderSeesNoLibrary_findsTheBackend() throws InterruptedException {
        TransportConfig config = TransportConfig.builder().warmUpNanosMax(0).build();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try (Transport transport = Transport.open("no-such-0", config)) {
                thrown.set(new AssertionError("opened " + transport.addresses()));
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        thread.start();
        thread.join();
        String message = thrown.get().toString();
        assertFalse(message.contains("class path"), message);
        assertTrue(message.contains("no-such-0"), message);
    }
}
