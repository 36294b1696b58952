/**
 * The examination of `gyre doctor`: checks one area after the other, repairs what it can, and describes the
 * result. Nothing is changed without `--repair`. The caller holds the crawl lock and the index lock.
 */
import { GyreError, messageOf } from '../../base/mod.ts';
import { commandFor } from '../advice.ts';
import { AREAS, type Area, type DoctorContext, type Examination } from './doctor-areas.ts';
import { type DoctorFinding, type Examined, unrepairable } from './doctor-findings.ts';

export interface AreaReport {
  area: string;
  status: 'ok' | 'damaged' | 'repaired' | 'absent';
  /** Short description of the files in the area, for example the number of records. */
  holds: string;
  problems: DoctorFinding[];
}

/** Examines every area of a data directory. With `repair`, repairs each area before the next one is examined. */
export async function examineData(context: DoctorContext, repair: boolean): Promise<AreaReport[]> {
  const examination: Examination = { ...context, marks: null };
  const reports: AreaReport[] = [];
  for (const area of AREAS) {
    if (context.signal.aborted) break;
    reports.push(await examineArea(area, examination, repair));
  }
  return reports;
}

async function examineArea(area: Area, examination: Examination, repair: boolean): Promise<AreaReport> {
  const { name } = area;
  examination.onProgress(name, 0);
  const found = examine(area, examination);
  if (!found) return { area: name, status: 'absent', holds: '', problems: [] };
  const { holds, problems } = found;
  if (problems.length === 0) return { area: name, status: 'ok', holds, problems };
  const isRepairable = area.repair && problems.some((problem) => problem.repair !== null);
  if (!repair || !isRepairable) return { area: name, status: 'damaged', holds, problems };
  const failed = await tryRepair(area, examination, problems);
  const left = [...(examine(area, examination)?.problems ?? []), ...failed];
  if (left.length > 0) return { area: name, status: 'damaged', holds, problems: left };
  return { area: name, status: 'repaired', holds, problems };
}

/**
 * Examines an area. An unexpected read error is reported as a problem of the area and does not stop the examination.
 */
function examine(area: Area, examination: Examination): Examined | null {
  try {
    return area.examine(examination);
  } catch (error) {
    if (!(error instanceof GyreError)) throw error;
    return { holds: '', problems: [unrepairable(area.name, messageOf(error), '')] };
  }
}

async function tryRepair(
  area: Area,
  examination: Examination,
  problems: readonly DoctorFinding[],
): Promise<DoctorFinding[]> {
  try {
    await area.repair?.(examination, problems);
    return [];
  } catch (error) {
    if (!(error instanceof GyreError)) throw error;
    return [unrepairable(area.name, `the repair failed: ${messageOf(error)}`, '')];
  }
}

/** Renders the reports: a line for each area, followed by a line for each of its problems with the advice. */
export function doctorLines(reports: readonly AreaReport[], data: string): string[] {
  const width = Math.max(...reports.map(({ area }) => area.length));
  return reports.flatMap(({ area, status, holds, problems }) => {
    const head = `${area.padEnd(width)}  ${status.padEnd(8)}  ${holds}`.trimEnd();
    return [head, ...problems.map((problem) => `  ${lineOf(problem, status, data)}`)];
  });
}

function lineOf(
  { file, problem, repair, advice }: DoctorFinding,
  status: AreaReport['status'],
  data: string,
): string {
  const what = problem.includes(file) ? problem : `${file}: ${problem}`;
  if (status === 'repaired') return `${what} (${repair ?? advice})`;
  if (repair !== null) return `${what}; ${commandFor('doctor --repair', data)} ${repair}`;
  return advice === '' ? what : `${what}; ${advice}`;
}
