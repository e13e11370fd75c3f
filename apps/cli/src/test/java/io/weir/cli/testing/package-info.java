/** What tests of commands share: running one in this process, and the published schema. */
package io.weir.cli.testing;
