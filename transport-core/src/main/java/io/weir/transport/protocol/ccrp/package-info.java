/** CCRP: credits whose rate follows marks in the data queue as well as the loss of credits. */
package io.weir.transport.protocol.ccrp;
