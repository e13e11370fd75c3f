package io.weir.transport.host;

import io.weir.transport.wire.Cookie;
import io.weir.transport.wire.Datagram;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Stateless proof that an initiator receives what is sent to its address: cookies for the opening at hand, tokens for
 * later ones. Both are a time of issue and a keyed hash; nothing is stored.
 */
final class CookieJar {
    /** How long a cookie may take to come back. */
    static final int COOKIE_SECONDS_MAX = 10;
    /** How long a token is good for. */
    static final int TOKEN_SECONDS_MAX = 3600;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long COOKIE_DOMAIN = 1;
    private static final long TOKEN_DOMAIN = 2;

    private final SipHash hash;

    CookieJar(long key0, long key1) {
        hash = new SipHash(key0, key1);
    }

    /** Writes the cookie of an opening. */
    void bakeCookie(Datagram opening, long tag, UnsafeBuffer target, int at, long nowNanos) {
        int issued = seconds(nowNanos);
        Cookie.write(target, at, issued, cookieHash(opening, tag, issued));
    }

    /** {@return whether the cookie at {@code at} was made for this opening, not long ago} */
    boolean isCookie(Datagram opening, long tag, int at, long nowNanos) {
        UnsafeBuffer buffer = opening.buffer();
        int issued = Cookie.issuedSeconds(buffer, at);
        return isFresh(issued, COOKIE_SECONDS_MAX, nowNanos)
                && Cookie.hash(buffer, at) == cookieHash(opening, tag, issued);
    }

    /** Writes a token for later openings from an address. */
    void bakeToken(long addressHigh, long addressLow, UnsafeBuffer target, int at, long nowNanos) {
        int issued = seconds(nowNanos);
        Cookie.write(target, at, issued, tokenHash(addressHigh, addressLow, issued));
    }

    /** {@return whether the token at {@code at} was made for the opening's source address, not too long ago} */
    boolean isToken(Datagram opening, int at, long nowNanos) {
        UnsafeBuffer buffer = opening.buffer();
        int issued = Cookie.issuedSeconds(buffer, at);
        return isFresh(issued, TOKEN_SECONDS_MAX, nowNanos)
                && Cookie.hash(buffer, at) == tokenHash(opening.sourceHigh(), opening.sourceLow(), issued);
    }

    private long cookieHash(Datagram opening, long tag, int issued) {
        return hash.begin()
                .add(COOKIE_DOMAIN)
                .add(opening.sourceHigh())
                .add(opening.sourceLow())
                .add((long) opening.sourcePort() << 16 | opening.destinationPort())
                .add(tag)
                .add(issued)
                .end();
    }

    private long tokenHash(long addressHigh, long addressLow, int issued) {
        return hash.begin()
                .add(TOKEN_DOMAIN)
                .add(addressHigh)
                .add(addressLow)
                .add(issued)
                .end();
    }

    private static boolean isFresh(int issued, int secondsMax, long nowNanos) {
        int age = seconds(nowNanos) - issued;
        return age >= 0 && age <= secondsMax;
    }

    private static int seconds(long nowNanos) {
        return (int) (nowNanos / NANOS_PER_SECOND);
    }
}
