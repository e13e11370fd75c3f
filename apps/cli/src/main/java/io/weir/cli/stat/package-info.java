/**
 * {@code weir stat}: looks at running transports from outside, by the files that they count in. It reads; of what
 * others wrote it removes only files of processes that have ended.
 */
package io.weir.cli.stat;
