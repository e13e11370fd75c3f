/** What a transport counts, as Micrometer's meters. */
package io.weir.micrometer;
