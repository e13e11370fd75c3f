package io.weir.transport.fallback;

import java.util.Locale;

/** What a rule wants for its connections. */
public enum Preference {
    /** Weir, or a failure. */
    WEIR,
    /** Weir where the peer has it, else the kernel's TCP. */
    PREFER,
    /** The kernel's TCP. */
    TCP;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
