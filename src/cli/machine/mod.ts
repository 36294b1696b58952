/**
 * Checks of the machine for `gyre doctor`: Node.js, disk, open files, clock, names, ports and memory. They read, and change
 * nothing, so they also work while the engine runs. They do not check files of the data directory.
 */

export { examineMachine, type MachineFinding, machineLines } from './examine-machine.ts';
