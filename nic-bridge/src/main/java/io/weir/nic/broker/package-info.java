/**
 * One interface for many processes: a privileged broker owns its port, and moves frames between it and the rings that
 * it shares with each client. Two clients of one broker share rings directly. {@link io.weir.nic.broker.Broker} is one
 * side, {@link io.weir.nic.broker.BrokerBackend} the other; they talk by messages over a Unix socket, {@link
 * io.weir.nic.broker.MessageKind}.
 *
 * <p>Rings of frames are in a sealed memory file ({@code SharedRegion}); a bell wakes the other side.
 * Neither side trusts the other. Each keeps its own counts in its own memory and checks each value of the other's once;
 * an impossible value is counted and ends the port.
 *
 * <p>One thread owns a port; what another thread may call says so.
 */
package io.weir.nic.broker;
