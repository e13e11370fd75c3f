/** What a stack tells about itself: counters, each with a name and a meaning; every drop has one. */
package io.weir.transport.telemetry;
