/**
 * Quantities as people write them, and back. One class a quantity: it parses, prints and converts command-line options.
 */
package io.weir.cli.unit;
