/**
 * Signals of hosts from the links between hosts: link farms, concentration and trust. They are features of
 * the ranking.
 */

export type { HostLinks } from './host-neighbours.ts';
export { type HostSignals, linkSignals, mostVouchedFor } from './host-signals.ts';
export { type HostTable, hostsName, openHosts, writeHosts } from './hosts-file.ts';
