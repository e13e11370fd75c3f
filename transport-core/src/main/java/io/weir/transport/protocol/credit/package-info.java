/**
 * What the credit-scheduled protocols share: the meter and queue of a port, and the two ends of a flow with credits.
 */
package io.weir.transport.protocol.credit;
