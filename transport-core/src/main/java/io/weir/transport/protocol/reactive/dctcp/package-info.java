/** DCTCP: RFC 8257. */
package io.weir.transport.protocol.reactive.dctcp;
