package io.weir.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a class of tests after which Netty's leak detector has found a buffer that nobody released. */
final class LeakCheck implements BeforeAllCallback, AfterAllCallback {
    private static final List<String> LEAKS = new CopyOnWriteArrayList<>();

    static {
        // Before the first buffer: each class that is watched asks for its detector once.
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new ResourceLeakDetectorFactory() {
            @Override
            @SuppressWarnings("deprecation") // Netty's signature
            public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> type, int interval, long maxActive) {
                return new Listening<>(type, interval);
            }
        });
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        LEAKS.clear();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        assertEquals(List.of(), LEAKS);
    }

    /** Keeps what it finds, and logs it as Netty does. */
    private static final class Listening<T> extends ResourceLeakDetector<T> {
        Listening(Class<T> type, int interval) {
            super(type, interval);
        }

        @Override
        protected void reportTracedLeak(String type, String records) {
            LEAKS.add(type);
            super.reportTracedLeak(type, records);
        }

        @Override
        protected void reportUntracedLeak(String type) {
            LEAKS.add(type);
            super.reportUntracedLeak(type);
        }
    }
}
