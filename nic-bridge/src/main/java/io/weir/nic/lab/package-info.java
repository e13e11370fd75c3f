/**
 * Laboratories: network namespaces joined by virtual links, for tests, demonstrations and measurements on one machine.
 */
package io.weir.nic.lab;
