/** What the tests of this module share. */
package io.weir.nic.testing;
