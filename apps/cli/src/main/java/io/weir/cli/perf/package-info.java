/**
 * Measurements between two hosts, in the manner of iperf3: a client asks a server for a test over a control connection,
 * both move data over separate connections, and each tells the other what it saw.
 *
 * <p>Streams belong to the thread of their transport's loop; a session belongs to the thread that runs it, and asks the
 * loop for samples.
 */
package io.weir.cli.perf;
