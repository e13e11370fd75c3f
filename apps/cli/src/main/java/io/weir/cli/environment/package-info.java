/** What a result depends on besides the command: the machine, its software, its ports, and this build. */
package io.weir.cli.environment;
