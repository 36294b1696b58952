/** The area `references` of `gyre doctor --deep`: what the stores lack of each other, with the commands that help. */
import { GyreError, messageOf } from '../../base/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { counted } from '../output.ts';
import type { AreaReport } from '../sessions/doctor.ts';
import { unrepairable } from '../sessions/doctor-findings.ts';
import { type BrokenReference, compareStores } from './compare-stores.ts';

export async function referenceReport(data: DataDirectory, signal: AbortSignal): Promise<AreaReport> {
  let compared: Awaited<ReturnType<typeof compareStores>>;
  try {
    compared = await compareStores(data, signal);
  } catch (error) {
    // Damaged files cannot be compared. Their own areas say what helps.
    if (!(error instanceof GyreError)) throw error;
    const problem = unrepairable('references', messageOf(error), 'repair the areas above first');
    return { area: 'references', status: 'damaged', holds: '', problems: [problem] };
  }
  const { pageCount, broken } = compared;
  const problems = broken.map((reference) =>
    unrepairable(reference.to, describe(reference), reference.advice),
  );
  const status = problems.length === 0 ? 'ok' : 'damaged';
  return { area: 'references', status, holds: counted(pageCount, 'page'), problems };
}

function describe({ from, count, examples }: BrokenReference): string {
  const more = count > examples.length ? ' …' : '';
  return `lacks ${counted(count, 'URL')} of ${from}: ${examples.join(' ')}${more}`;
}
