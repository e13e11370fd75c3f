/** TCP Vegas: Brakmo and Peterson, 1995. */
package io.weir.transport.protocol.reactive.vegas;
