/** The command `gyre doctor`, which checks and repairs a data directory. */
import type { Command, Invocation } from '../arguments.ts';
import { referenceReport } from '../cross-references/mod.ts';
import { openDamagedData } from '../data-directory.ts';
import { onInterrupt } from '../interrupts.ts';
import { lockCrawl, lockIndex } from '../locks.ts';
import { counted, ProgressLine, print, printJson, stderrLog } from '../output.ts';
import { doctorLines, examineData } from '../sessions/doctor.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  positionals: '',
  summary: 'Checks every file of the data directory and lists damaged ones',
  examples: ['gyre doctor', 'gyre doctor --repair'],
  settings: [],
  flags: [
    {
      name: 'repair',
      kind: 'boolean',
      help: 'rebuild damaged files that can be made from others: seen.log, sketches, journal, graph, index, words',
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
      if (flags.json) return printJson({ data: config.data, damaged, areas: reports });
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
