/** What tests of commands share. */
package io.weir.cli.testing;
