/** The command that says how much data the ports of a network must be able to queue, and how to configure them. */
package io.weir.cli.plan;
