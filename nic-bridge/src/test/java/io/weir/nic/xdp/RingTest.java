package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.ffi.NativeMemory;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link ProducerRing} and {@link ConsumerRing}, end to end over plain memory. */
class RingTest {
    private static final int ENTRIES = 8;
    private static final int PRODUCER_AT = 0;
    private static final int CONSUMER_AT = 128;
    private static final int FLAGS_AT = 196;
    private static final RingLayout DESCRIPTORS = new RingLayout(PRODUCER_AT, CONSUMER_AT, FLAGS_AT, 320, ENTRIES, 16);
    private static final RingLayout ADDRESSES = new RingLayout(PRODUCER_AT, CONSUMER_AT, FLAGS_AT, 320, ENTRIES, 8);

    @Test
    void publish_batch_isSeenAllAtOnce() {
        UnsafeBuffer memory = NativeMemory.allocate(ADDRESSES.memoryBytes());
        ProducerRing producer = new ProducerRing(memory, ADDRESSES);
        ConsumerRing consumer = new ConsumerRing(memory, ADDRESSES);
        producer.putAddress(100);
        producer.putAddress(200);
        assertEquals(0, consumer.available(ENTRIES));
        producer.publish();
        assertEquals(2, consumer.available(ENTRIES));
        assertEquals(100, consumer.address());
        consumer.advance();
        assertEquals(200, consumer.address());
    }

    @Test
    void available_moreThanTheLimit_isTheLimit() {
        UnsafeBuffer memory = NativeMemory.allocate(ADDRESSES.memoryBytes());
        ProducerRing producer = new ProducerRing(memory, ADDRESSES);
        ConsumerRing consumer = new ConsumerRing(memory, ADDRESSES);
        for (int i = 0; i < ENTRIES; i++) {
            producer.putAddress(i);
        }
        producer.publish();
        assertEquals(3, consumer.available(3));
        assertEquals(ENTRIES, consumer.available(100));
    }

    @Test
    void freeCount_untilTheOtherSideReleases_staysUsedUp() {
        UnsafeBuffer memory = NativeMemory.allocate(ADDRESSES.memoryBytes());
        ProducerRing producer = new ProducerRing(memory, ADDRESSES);
        ConsumerRing consumer = new ConsumerRing(memory, ADDRESSES);
        for (int i = 0; i < ENTRIES; i++) {
            producer.putAddress(i);
        }
        producer.publish();
        assertEquals(0, producer.freeCount());
        assertEquals(ENTRIES, consumer.available(ENTRIES));
        consumer.advance();
        consumer.advance();
        assertEquals(0, producer.freeCount());
        consumer.release();
        assertEquals(2, producer.freeCount());
        assertFalse(producer.isDrained());
        for (int i = 2; i < ENTRIES; i++) {
            consumer.advance();
        }
        consumer.release();
        assertTrue(producer.isDrained());
        assertEquals(ENTRIES, producer.freeCount());
    }

    @Test
    void putDescriptor_full_isABug() {
        UnsafeBuffer memory = NativeMemory.allocate(DESCRIPTORS.memoryBytes());
        ProducerRing producer = new ProducerRing(memory, DESCRIPTORS);
        for (int i = 0; i < ENTRIES; i++) {
            producer.putDescriptor(i, 60, 0);
        }
        assertThrows(AssertionError.class, () -> producer.putDescriptor(9, 60, 0));
    }

    @Test
    void putDescriptor_highBitOfLength_leavesTheOptionsZero() {
        UnsafeBuffer memory = NativeMemory.allocate(DESCRIPTORS.memoryBytes());
        memory.setMemory(320, ENTRIES * 16, (byte) 0xFF);
        ProducerRing producer = new ProducerRing(memory, DESCRIPTORS);
        producer.putDescriptor(0x1234_5678_9ABCL, 1514, 0);
        assertEquals(0x1234_5678_9ABCL, memory.getLong(320));
        assertEquals(1514, memory.getInt(328));
        assertEquals(0, memory.getInt(332));
    }

    @Test
    void needsWakeup_flagOfTheKernel_isSeen() {
        UnsafeBuffer memory = NativeMemory.allocate(DESCRIPTORS.memoryBytes());
        ProducerRing producer = new ProducerRing(memory, DESCRIPTORS);
        assertFalse(producer.needsWakeup());
        memory.putIntVolatile(FLAGS_AT, 1);
        assertTrue(producer.needsWakeup());
    }

    @Test
    void indices_wrapAt32Bits_nothingIsLostOrRepeated() {
        long seed = 7;
        Random random = new Random(seed);
        UnsafeBuffer memory = NativeMemory.allocate(DESCRIPTORS.memoryBytes());
        int start = -5 * ENTRIES / 2;
        memory.putInt(PRODUCER_AT, start);
        memory.putInt(CONSUMER_AT, start);
        ProducerRing producer = new ProducerRing(memory, DESCRIPTORS);
        ConsumerRing consumer = new ConsumerRing(memory, DESCRIPTORS);
        long put = 0;
        long taken = 0;
        while (taken < 10_000) {
            for (int i = random.nextInt(producer.freeCount() + 1); i > 0; i--) {
                producer.putDescriptor(put * 4096, (int) (put % 1500), 0);
                put++;
            }
            producer.publish();
            for (int i = consumer.available(random.nextInt(ENTRIES) + 1); i > 0; i--) {
                assertEquals(taken * 4096, consumer.address(), "seed " + seed);
                assertEquals(taken % 1500, consumer.lengthBytes(), "seed " + seed);
                consumer.advance();
                taken++;
            }
            consumer.release();
        }
        assertTrue(memory.getInt(PRODUCER_AT) > 0, "the index did not wrap");
    }

    @Test
    void layout_notAPowerOfTwo_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> new RingLayout(0, 64, 128, 192, 12, 8));
        assertThrows(IllegalArgumentException.class, () -> new RingLayout(0, 64, 128, 192, 16, 12));
    }
}
