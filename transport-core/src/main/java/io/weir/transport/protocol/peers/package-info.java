/**
 * Protocols to compare with: NewReno, CUBIC, Vegas, DCTCP, HULL with its phantom queues, DCQCN, TIMELY, RCP with the
 * rates of its ports, and an oracle that tells every flow its fair rate at once. None uses another.
 */
package io.weir.transport.protocol.peers;
