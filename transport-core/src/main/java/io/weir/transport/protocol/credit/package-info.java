/** What the credit-scheduled protocols share: the meter and queue of a port, and the bookkeeping of numbered credits. */
package io.weir.transport.protocol.credit;
