/** TCP NewReno's congestion control: RFC 5681 and RFC 6582. */
package io.weir.transport.protocol.reactive.newreno;
