package io.weir.cli.traffic;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A SHA-256 that can be read while it grows. */
public final class Sha256 {
    private final MessageDigest digest;

    public Sha256() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    public void update(byte[] bytes, int offset, int length) {
        digest.update(bytes, offset, length);
    }

    /** {@return the digest of all bytes so far, in hexadecimal digits} */
    public String text() {
        try {
            return HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("this Java platform's SHA-256 cannot be copied", e);
        }
    }
}
