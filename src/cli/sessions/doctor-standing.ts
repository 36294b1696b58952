/** Checks the database of standing queries, for `gyre doctor`. */
import { type Directory, GyreError, messageOf } from '../../base/mod.ts';
import { checkStanding, hasStanding } from '../../standing/mod.ts';
import { type Examined, unrepairable } from './doctor-findings.ts';

const ADVICE = 'restore it from a backup, or delete it and save the standing queries again';

export function examineStanding(root: Directory): Examined | null {
  if (!hasStanding(root)) return null;
  const problem = problemIn(root);
  return { holds: '', problems: problem === null ? [] : [unrepairable('standing.db', problem, ADVICE)] };
}

function problemIn(root: Directory): string | null {
  try {
    return checkStanding(root);
  } catch (error) {
    if (!(error instanceof GyreError)) throw error;
    return messageOf(error);
  }
}
