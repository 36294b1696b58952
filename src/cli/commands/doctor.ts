/** The command `gyre doctor`, which checks and repairs a data directory. */
import { type Directory, directoryAt, UsageError } from '../../base/mod.ts';
import { clockSetBackMs, hasCrawlState, openCrawlState } from '../../crawl/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { referenceReport } from '../cross-references/mod.ts';
import { openDamagedData, readSettings } from '../data-directory.ts';
import { onInterrupt } from '../interrupts.ts';
import { lockCrawl, lockIndex } from '../locks.ts';
import { examineMachine, type MachineFinding, machineLines } from '../machine/mod.ts';
import { counted, ProgressLine, print, printJson, stderrLog } from '../output.ts';
import { doctorLines, examineData } from '../sessions/doctor.ts';
import type { Config } from '../settings/mod.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  positionals: '',
  summary: 'Checks this machine and every file of the data directory, and says what is wrong and what to do',
  examples: ['gyre doctor', 'gyre doctor --machine', 'gyre doctor --repair'],
  settings: [],
  flags: [
    {
      name: 'repair',
      kind: 'boolean',
      help: 'rebuild damaged files that can be made from others: seen.log, sketches, journal, graph, index, words',
    },
    {
      name: 'machine',
      kind: 'boolean',
      help: 'check only the machine: Node.js, disk, open files, memory, clock, names and port; works while the engine runs',
    },
    {
      name: 'deep',
      kind: 'boolean',
      help: 'also compare archive, journal, crawl.db, index and graph: each must have the URLs that the others need',
    },
    { name: 'json', kind: 'boolean', help: 'print the result as one JSON object' },
  ],
  run: doctor,
};

async function doctor({ config, flags }: Invocation): Promise<void> {
  if (flags.machine && flags.repair)
    throw new UsageError('bad-option', '--machine and --repair exclude each other: use one of them');
  const machine = await machineOf(config);
  const isGood = machine.every(({ isGood }) => isGood);
  if (flags.machine && !isGood) process.exitCode = 1;
  if (flags.machine && flags.json) return printJson({ data: config.data, machine });
  if (!flags.json) for (const line of machineLines(machine)) print(line);
  if (flags.machine) return print(isGood ? 'no problem found' : 'the machine needs attention');
  const data = openDamagedData(config.data, { create: flags.repair === true });
  const crawl = lockCrawl(data.root);
  const stop = new AbortController();
  const off = onInterrupt(() => stop.abort());
  const progress = process.stderr.isTTY ? new ProgressLine() : null;
  try {
    const index = lockIndex(data.root);
    try {
      const reports = await examineData(
        {
          ...{ data, config, log: stderrLog(config), signal: stop.signal },
          onProgress: (area, share) => progress?.show(`checking ${area} ${Math.floor(share * 100)} %`),
        },
        flags.repair === true,
      );
      if (flags.deep) reports.push(await referenceReport(data, stop.signal));
      progress?.clear();
      const damaged = reports.filter(({ status }) => status === 'damaged').length;
      if (damaged > 0 || stop.signal.aborted) process.exitCode = 1;
      if (flags.json) return printJson({ data: config.data, machine, damaged, areas: reports });
      for (const line of doctorLines(reports, config.data)) print(line);
      if (stop.signal.aborted) print('interrupted');
      else print(damaged === 0 ? 'no damage found' : `${counted(damaged, 'area')} damaged`);
    } finally {
      index.release();
    }
  } finally {
    progress?.clear();
    off();
    crawl.release();
  }
}

async function machineOf(config: Config): Promise<MachineFinding[]> {
  const root = directoryAt(config.data);
  return await examineMachine({
    config,
    seeds: readableOr([], () => readSettings(root).seeds),
    clockSetBackMs: await clockOf(root).catch(() => 0),
  });
}

/** A damaged file is reported by the check of the files, so it does not stop that of the machine. */
function readableOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

async function clockOf(root: Directory): Promise<number> {
  if (!hasCrawlState(root)) return 0;
  const state = openCrawlState(root, { readOnly: true });
  try {
    return clockSetBackMs(await state.committedAt(), Date.now());
  } finally {
    state.close();
  }
}
