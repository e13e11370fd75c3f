/**
 * The counters of transports, for those who look from outside the process: the file that a transport keeps them in, and
 * its reader. Files are made and removed by the threads that open and close transports; loops write to mapped memory
 * alone.
 */
package io.weir.transport.observation;
