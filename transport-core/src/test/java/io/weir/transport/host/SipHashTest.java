package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link SipHash} against the vectors that its authors published, for whole words. */
class SipHashTest {
    private static final long KEY0 = 0x0706050403020100L;
    private static final long KEY1 = 0x0F0E0D0C0B0A0908L;

    @Test
    void end_emptyMessage_isThePublishedVector() {
        assertEquals(0x726FDB47DD0E0E31L, new SipHash(KEY0, KEY1).begin().end());
    }

    @Test
    void end_eightBytes_isThePublishedVector() {
        assertEquals(
                0x93F5F5799A932462L, new SipHash(KEY0, KEY1).begin().add(KEY0).end());
    }

    @Test
    void end_sixteenBytes_isThePublishedVector() {
        assertEquals(
                0x3F2ACC7F57C29BDBL,
                new SipHash(KEY0, KEY1).begin().add(KEY0).add(KEY1).end());
    }

    @Test
    void begin_reused_forgetsTheMessageBefore() {
        SipHash hash = new SipHash(KEY0, KEY1);
        hash.begin().add(1).end();
        assertEquals(0x726FDB47DD0E0E31L, hash.begin().end());
    }
}
