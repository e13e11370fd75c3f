package io.weir.transport.host;

import io.weir.transport.node.ConfigException;

/**
 * How much each connection's streams may hold, and all connections of a host together.
 *
 * @param sendBufferBytes the most bytes kept until they are acknowledged
 * @param receiveBufferBytes the most bytes kept until they are read: the largest receive window
 * @param bufferBytesInitial where both of these limits start; they grow to the most while they are what slows a
 *     stream. Where it is not less than the most, the limits are fixed
 * @param memoryBytesMax the most memory that the buffers of all connections of a host hold together
 * @param gapsMax gaps that a stream may have while frames are missing
 * @param framesInFlightMax the most data frames of one stream in flight
 * @param ackFrames data frames that one protected acknowledgement may cover
 */
public record StreamLimits(
        int sendBufferBytes,
        int receiveBufferBytes,
        int bufferBytesInitial,
        long memoryBytesMax,
        int gapsMax,
        int framesInFlightMax,
        int ackFrames) {
    /** The most memory for buffers, unless a configuration says otherwise: 256 MiB. */
    public static final long MEMORY_BYTES_MAX_DEFAULT = 1L << 28;

    private static final int BUFFER_BYTES_MIN = 4096;
    private static final int BUFFER_BYTES_MAX = 1 << 30;
    private static final long MEMORY_BYTES_MIN = 1L << 16;
    private static final long MEMORY_BYTES_MAX = 1L << 36;
    private static final int GAPS_MAX = 1 << 16;
    private static final int FRAMES_IN_FLIGHT_MAX = 1 << 20;
    private static final int ACK_FRAMES_MAX = 1 << 15;

    /** Buffers of 256 KiB that do not grow, acknowledgements each 16 frames. */
    public static final StreamLimits DEFAULT = fixed(1 << 18, 1 << 18);

    /**
     * Buffers of 16 KiB that grow to 1 MiB, for real ports. 16 KiB are the ten segments that a sender may start
     * with (RFC 6928); 1 MiB is what 2 Gbps carry in 4 ms, while a host is off its core. More lets a receiver make
     * credits that expire.
     */
    public static final StreamLimits GROWING =
            fixed(1 << 20, 1 << 20).withBufferBytesInitial(1 << 14).withGapsMax(256);

    public StreamLimits {
        requireBuffer("sendBufferBytes", sendBufferBytes);
        requireBuffer("receiveBufferBytes", receiveBufferBytes);
        requireBuffer("bufferBytesInitial", bufferBytesInitial);
        if (memoryBytesMax < MEMORY_BYTES_MIN || memoryBytesMax > MEMORY_BYTES_MAX) {
            throw new ConfigException(
                    "memoryBytesMax=" + memoryBytesMax + " is outside " + MEMORY_BYTES_MIN + ".." + MEMORY_BYTES_MAX);
        }
        requireCount("gapsMax", gapsMax, GAPS_MAX);
        requireCount("framesInFlightMax", framesInFlightMax, FRAMES_IN_FLIGHT_MAX);
        requireCount("ackFrames", ackFrames, ACK_FRAMES_MAX);
    }

    /** {@return buffers that do not grow, and the usual limits of all else} */
    public static StreamLimits fixed(int sendBufferBytes, int receiveBufferBytes) {
        return new StreamLimits(
                sendBufferBytes,
                receiveBufferBytes,
                Math.max(sendBufferBytes, receiveBufferBytes),
                MEMORY_BYTES_MAX_DEFAULT,
                64,
                4096,
                16);
    }

    private static void requireCount(String name, int count, int countMax) {
        if (count < 1 || count > countMax) {
            throw new ConfigException(name + "=" + count + " is outside 1.." + countMax);
        }
    }

    /** {@return the same with other limits to start with} */
    public StreamLimits withBufferBytesInitial(int newBufferBytesInitial) {
        return new StreamLimits(
                sendBufferBytes,
                receiveBufferBytes,
                newBufferBytesInitial,
                memoryBytesMax,
                gapsMax,
                framesInFlightMax,
                ackFrames);
    }

    /** {@return the same with room for another number of gaps} */
    public StreamLimits withGapsMax(int newGapsMax) {
        return new StreamLimits(
                sendBufferBytes,
                receiveBufferBytes,
                bufferBytesInitial,
                memoryBytesMax,
                newGapsMax,
                framesInFlightMax,
                ackFrames);
    }

    /** {@return the same with another number of frames in flight at most} */
    public StreamLimits withFramesInFlightMax(int newFramesInFlightMax) {
        return new StreamLimits(
                sendBufferBytes,
                receiveBufferBytes,
                bufferBytesInitial,
                memoryBytesMax,
                gapsMax,
                newFramesInFlightMax,
                ackFrames);
    }

    /** {@return the same with another number of frames for an acknowledgement at most} */
    public StreamLimits withAckFrames(int newAckFrames) {
        return new StreamLimits(
                sendBufferBytes,
                receiveBufferBytes,
                bufferBytesInitial,
                memoryBytesMax,
                gapsMax,
                framesInFlightMax,
                newAckFrames);
    }

    /** {@return the same with another limit of the memory for the buffers of all connections} */
    public StreamLimits withMemoryBytesMax(long newMemoryBytesMax) {
        return new StreamLimits(
                sendBufferBytes,
                receiveBufferBytes,
                bufferBytesInitial,
                newMemoryBytesMax,
                gapsMax,
                framesInFlightMax,
                ackFrames);
    }

    /** {@return the same with at most {@code bytesMax} of memory, or the least possible; never with more} */
    public StreamLimits within(long bytesMax) {
        return withMemoryBytesMax(Math.max(MEMORY_BYTES_MIN, Math.min(memoryBytesMax, bytesMax)));
    }

    /** {@return the same with the part of the memory that one of so many hosts has} */
    public StreamLimits shared(int hostCount) {
        return within(memoryBytesMax / hostCount);
    }

    private static void requireBuffer(String name, int bytes) {
        if (bytes < BUFFER_BYTES_MIN || bytes > BUFFER_BYTES_MAX) {
            throw new ConfigException(name + "=" + bytes + " is outside " + BUFFER_BYTES_MIN + ".." + BUFFER_BYTES_MAX);
        }
    }
}
