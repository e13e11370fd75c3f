/**
 * What every port needs whose interface the kernel has too, whatever moves its frames: UDP ports reserved in the
 * kernel, the kernel's routes and neighbours, changes of the interface, and a loop's sleep on descriptors.
 */
package io.weir.nic.host;
