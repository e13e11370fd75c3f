/**
 * Applications whose traffic is measured: handlers that keep a connection full or exchange messages, kernel TCP that
 * does the same, and payload that shows whether every byte arrived. For commands, figures and benchmarks.
 */
package io.weir.cli.traffic;
