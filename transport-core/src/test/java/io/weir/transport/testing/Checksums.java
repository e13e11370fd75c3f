package io.weir.transport.testing;

import io.weir.transport.frame.Frame;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.InternetChecksum;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/** Makes the IP and UDP checksums of a frame right again after something in it was changed. */
public final class Checksums {
    private static final int IP = Ethernet.HEADER_BYTES;
    private static final int UDP = 17;

    private Checksums() {}

    /** Repairs the checksums of a frame that holds an IPv4 or IPv6 UDP datagram; any other is left as it is. */
    public static void repair(Frame frame) {
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset();
        if (frame.length() < HeaderTemplate.BYTES_V4) {
            return;
        }
        int type = Ethernet.type(buffer, at);
        if (type == Ethernet.TYPE_IPV4) {
            put16(buffer, at + IP + 10, 0);
            put16(buffer, at + IP + 10, InternetChecksum.finish(InternetChecksum.add(0, buffer, at + IP, 20)));
            repairUdp(frame, at + IP + 20, 8);
        } else if (type == Ethernet.TYPE_IPV6 && frame.length() >= HeaderTemplate.BYTES_V6) {
            repairUdp(frame, at + IP + 40, 32);
        }
    }

    private static void repairUdp(Frame frame, int udpAt, int addressBytes) {
        UnsafeBuffer buffer = frame.buffer();
        int udpBytes = buffer.getShort(udpAt + 4, ByteOrder.BIG_ENDIAN) & 0xFFFF;
        if (udpBytes < 8 || udpBytes > frame.offset() + frame.length() - udpAt) {
            return;
        }
        put16(buffer, udpAt + 6, 0);
        long sum = InternetChecksum.add(0, buffer, udpAt - addressBytes, addressBytes + udpBytes);
        int checksum = InternetChecksum.finish(InternetChecksum.add16(InternetChecksum.add16(sum, UDP), udpBytes));
        put16(buffer, udpAt + 6, checksum == 0 ? 0xFFFF : checksum);
    }

    private static void put16(UnsafeBuffer buffer, int index, int value) {
        buffer.putShort(index, (short) value, ByteOrder.BIG_ENDIAN);
    }
}
