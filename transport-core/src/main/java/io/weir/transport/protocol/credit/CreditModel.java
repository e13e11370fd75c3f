package io.weir.transport.protocol.credit;

/** What a port's credit meter charges, and against which rate. */
public enum CreditModel {
    /** Each credit its own bytes and the largest frame that it permits, against the link less the creditless share. */
    EXACT,
    /** Each credit its own bytes, against 84/(84 + 1538) of the link: the meter of ExpressPass section 3.1. */
    PAPER,
    /** Each credit its own bytes, against mean/(mean + 1538) of the link: the meter of the authors' code. */
    AUTHORS,
    /** No meter: credits go with the data. */
    OFF
}
