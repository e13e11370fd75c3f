/**
 * One interface for many processes: a privileged broker owns its port, and moves frames between it and the rings that
 * it shares with each client. Clients of one broker that talk to each other get rings of their own, without the broker
 * in between. {@link io.weir.nic.broker.Broker} is one side, {@link io.weir.nic.broker.BrokerBackend} the other; they
 * talk by messages over a Unix socket, {@link io.weir.nic.broker.MessageKind}.
 */
package io.weir.nic.broker;
