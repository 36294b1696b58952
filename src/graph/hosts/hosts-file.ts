/**
 * The hosts file: the signals of each host. It is called `hosts-00000001.hosts` and has the number of the
 * ranks with which it was made. It is sealed (magic GYH1); its body is:
 *
 *   count  u32
 *   host*  name text, inHosts varint, inDomains varint, then f32: rank, concentration, reciprocity, farm, trust
 *
 * Hosts are sorted by their reversed names (`org.a`), like the nodes of the graph.
 *
 * Example: one host `a.org` that two hosts of one domain link to, with rank 1, concentration 0.5 and trust 1,
 * is
 *
 *   47 59 48 31  01 00 00 00  01 00 00 00  05 61 2E 6F 72 67  02  01
 *   00 00 80 3F  00 00 00 3F  00 00 00 00  00 00 00 00  00 00 80 3F  BD 0A D9 AB
 */
import {
  ByteReader,
  ByteWriter,
  type Directory,
  type FileKind,
  readSealed,
  writeSealed,
} from '../../base/mod.ts';
import { ranksGenerations } from '../ranks-format.ts';
import type { HostSignals } from './host-signals.ts';

const KIND: FileKind = { magic: 'GYH1', version: 1 };

export function hostsName(generation: number): string {
  return `hosts-${String(generation).padStart(8, '0')}.hosts`;
}

export function writeHosts(
  directory: Directory,
  generation: number,
  names: readonly string[],
  signals: readonly HostSignals[],
): void {
  const writer = new ByteWriter();
  writer.u32(names.length);
  signals.forEach((host, at) => {
    writer.text(names[at]!);
    writer.varint(host.inHosts);
    writer.varint(host.inDomains);
    for (const value of [host.rank, host.concentration, host.reciprocity, host.farm, host.trust])
      writer.f32(value);
  });
  writeSealed(directory, hostsName(generation), KIND, writer.view());
}

/** The signals of all hosts, as of the newest ranking. */
export interface HostTable {
  readonly count: number;
  signalsOf(host: string): HostSignals | undefined;
  entries(): Iterable<[host: string, signals: HostSignals]>;
}

/**
 * Opens the hosts file of the newest ranks; returns null if there are no ranks yet. Verifies the checksum
 * immediately, but decodes the hosts at the first look-up, because an indexer that has no new pages needs no
 * host.
 */
export function openHosts(directory: Directory): HostTable | null {
  const generation = ranksGenerations(directory).at(-1);
  if (generation === undefined || !directory.has(hostsName(generation))) return null;
  const name = hostsName(generation);
  const body = readSealed(directory, name, KIND);
  let known: Map<string, HostSignals> | null = null;
  const hosts = () => {
    known ??= readHosts(new ByteReader(body, name));
    return known;
  };
  return {
    count: new ByteReader(body, name).u32(),
    signalsOf: (host) => hosts().get(host),
    entries: () => hosts(),
  };
}

function readHosts(reader: ByteReader): Map<string, HostSignals> {
  const hosts = new Map<string, HostSignals>();
  for (let count = reader.u32(); count > 0; count--) {
    const host = reader.text();
    const inHosts = reader.varint();
    const inDomains = reader.varint();
    const rank = reader.f32();
    const concentration = reader.f32();
    const reciprocity = reader.f32();
    const farm = reader.f32();
    hosts.set(host, { rank, inHosts, inDomains, concentration, reciprocity, farm, trust: reader.f32() });
  }
  return hosts;
}
