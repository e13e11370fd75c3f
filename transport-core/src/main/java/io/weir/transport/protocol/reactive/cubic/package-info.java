/** TCP CUBIC: RFC 9438. */
package io.weir.transport.protocol.reactive.cubic;
