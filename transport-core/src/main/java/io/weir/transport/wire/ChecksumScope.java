package io.weir.transport.wire;

/** Which frames get checksums from a host of IP and UDP (docs/adr/0024-data-without-udp-checksums.md). */
public enum ChecksumScope {
    /** Each frame has both, and both are checked. */
    ALL,
    /** On wires like {@link #ALL}, and between processes of one host, by memory, like {@link #NOT_ON_DATA}. */
    ALL_ON_WIRES,
    /**
     * Like {@link #ALL}, but data frames over IPv4 have no UDP checksum (RFC 768 Fields: the field is 0), since their
     * CRC32C covers them: where frames meet no wire.
     */
    NOT_ON_DATA,
    /** None is made or checked: simulations whose frames have no payload. */
    NONE
}
