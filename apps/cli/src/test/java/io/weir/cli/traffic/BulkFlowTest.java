package io.weir.cli.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.TransportPair;
import io.weir.transport.runtime.OwnTimeLimit;
import io.weir.transport.socket.TransportConfig;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a source that keeps its connection full, and the end that takes what it sends, joined by memory. */
class BulkFlowTest {
    private static final int PORT = 4720;
    private static final int SECONDS_MAX = 60;
    /** No multiple of a chunk. */
    private static final long BYTES = 700_001;

    private final AtomicReference<String> failure = new AtomicReference<>();
    private final TransportPair pair;

    BulkFlowTest() throws Exception {
        pair = TransportPair.inMemory(TransportConfig.DEFAULT);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void source_ofASeed_arrivesWithItsDigest() throws Exception {
        PayloadCheck check = new PayloadCheck(new SeededPayload(3, 0));
        BulkSink sink = new BulkSink(check, failure);
        BulkSource source = new BulkSource(new SeededPayload(3, 0), BYTES, failure);
        pair.server().listen(PORT, incoming -> sink);
        pair.client().connect(pair.serverAddress(PORT), source);
        assertTrue(sink.awaitEnd(OwnTimeLimit.ofSeconds(SECONDS_MAX)));
        assertNull(failure.get());
        assertEquals(BYTES, sink.arrivals().totalBytes());
        assertEquals(PayloadCheck.NOTHING_WRONG, check.firstWrongOffset());
        Sha256 expected = new Sha256();
        byte[] bytes = new byte[(int) BYTES];
        new SeededPayload(3, 0).next(bytes, 0, bytes.length);
        expected.update(bytes, 0, bytes.length);
        assertEquals(expected.text(), check.sha256());
        assertEquals(expected.text(), source.source().sha256());
        assertTrue(sink.arrivals().spanNanos() > 0);
    }

    @Test
    void source_ofZeros_hasNoDigest() {
        assertNull(new BulkSource(failure).source().sha256());
    }
}
