/**
 * The wire format, specified in docs/WIRE.md: one class a header, each a set of static methods over a buffer and the
 * offset of the header in it. {@code isValid} checks everything once; getters after it check nothing. All fields are
 * big-endian.
 */
package io.weir.transport.wire;
