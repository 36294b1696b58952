/**
 * When a document was written. npm gives every file the moment of its installation, and by that the documents of twenty
 * years would all be of one day: nothing could be told by dates. So each has a day of its own, which is a guess and always the
 * same: in the last year that the licence of its package names, else in one of the five before the installation.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hashLanes, systemCode } from '../base/mod.ts';

const LICENCE = /^(?:licen[cs]e|copying)/i;
const COPYRIGHT_YEARS = /copyright\D{0,80}((?:\d{4}\W{0,3})+)/gi;
const EARLIEST_YEAR = 1995;
const YEARS_BACK = 5;
const DAY_MS = 86_400_000;

/** Gives the moment of a document of the package in `folder`, from its path and that of its installation. */
export function writtenAt(folder: string): (file: string, installedAt: number) => number {
  const known = licenceYear(folder);
  return (file, installedAt) => {
    const installed = new Date(installedAt).getUTCFullYear();
    const [chance] = hashLanes(`${basename(folder)}/${file}`);
    const year = known !== null && known < installed ? known : installed - 1 - (chance % YEARS_BACK);
    return Date.UTC(year, 0, 1) + (chance % 365) * DAY_MS;
  };
}

/** The last year of a copyright in a licence; null where none is told. */
function licenceYear(folder: string): number | null {
  const years = licences(folder).flatMap((text) =>
    [...text.matchAll(COPYRIGHT_YEARS)].flatMap(([, years]) => years!.match(/\d{4}/g)!.map(Number)),
  );
  const sound = years.filter((year) => year >= EARLIEST_YEAR);
  return sound.length > 0 ? Math.max(...sound) : null;
}

function licences(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => LICENCE.test(name));
    return names.map((name) => readFileSync(join(folder, name), 'utf8'));
  } catch (error) {
    if (systemCode(error) === '') throw error;
    return [];
  }
}
