/**
 * Rate arithmetic, token buckets and credit pacing. A leaf: it knows no protocol, reads no clock and starts no thread.
 */
package io.weir.pacer;
