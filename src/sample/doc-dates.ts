/**
 * Assigns a date to each document of the sample web. npm sets the modification time of every file to the time
 * of installation, so by file times all documents would have the same date. Each document therefore gets a date
 * that is derived from a hash of its path and never changes. The date is in the last year that the licence of
 * the package names or, if the licence names no year, in one of the five years before the installation.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DAY_MS, hashLanes, systemCode } from '../base/mod.ts';

const LICENCE = /^(?:licen[cs]e|copying)/i;
const COPYRIGHT_YEARS = /copyright\D{0,80}((?:\d{4}\W{0,3})+)/gi;
const EARLIEST_YEAR = 1995;
const YEARS_BACK = 5;

/**
 * Returns a function that gives the date of a document of the package in `folder`, from its path and
 * installation time.
 */
export function writtenAt(folder: string): (file: string, installedAt: number) => number {
  const known = licenceYear(folder);
  return (file, installedAt) => {
    const installed = new Date(installedAt).getUTCFullYear();
    const [chance] = hashLanes(`${basename(folder)}/${file}`);
    const year = known !== null && known < installed ? known : installed - 1 - (chance % YEARS_BACK);
    return Date.UTC(year, 0, 1) + (chance % 365) * DAY_MS;
  };
}

/** Returns the last copyright year in a licence file of the package; null if there is none. */
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
