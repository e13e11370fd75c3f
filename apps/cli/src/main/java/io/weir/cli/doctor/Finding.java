package io.weir.cli.doctor;

/**
 * Something of a machine that hurts.
 *
 * @param kind which of the known ones, with what it costs
 * @param what what was found, with its value
 * @param remedy commands for a shell, or a line that begins with {@code #} where no command helps
 */
record Finding(FindingKind kind, String what, String remedy) {}
