/**
 * Files that people write in YAML: read within bounds, every value with its place, every error with file, line and key.
 * Also the keys of a port (queues, credit meter, marking), which files of switches and of scenarios share.
 */
package io.weir.cli.yaml;
