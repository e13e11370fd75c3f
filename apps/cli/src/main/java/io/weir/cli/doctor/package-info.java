/**
 * {@code weir doctor}: what of a machine keeps Weir from running, or slows it. Checks are pure functions of a {@link
 * io.weir.cli.doctor.MachineView}, which alone looks at the machine (docs/adr/0028-doctor.md).
 */
package io.weir.cli.doctor;
