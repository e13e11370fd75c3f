/** The list of the protocols that this build has: the one place that a new one is entered in. */
package io.weir.transport.protocol.catalogue;
