/** What commands print: tables for people, documents for programs, progress for terminals. */
package io.weir.cli.output;
