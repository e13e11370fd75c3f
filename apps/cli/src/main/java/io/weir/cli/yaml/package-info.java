/**
 * Files that people write in YAML: read within bounds, every value with its place, every error with file, line and key.
 */
package io.weir.cli.yaml;
