/**
 * `opt-outs.json` in the data directory: hosts whose owners asked for their removal without a proof of ownership. The
 * operator decides about them in `/admin/removals`.
 *
 *   {"waiting":[{"host":"example.org","reason":"private","at":1767323045000}]}
 */
import { acquireLock, type Directory, UsageError } from '../../base/mod.ts';
import type { SiteTools } from '../../serve/mod.ts';

type OptOut = Awaited<ReturnType<SiteTools['listOptOuts']>>[number];

const FILE = 'opt-outs.json';
const MAX_WAITING = 1_000;

export function listOptOuts(root: Directory): OptOut[] {
  if (!root.has(FILE)) return [];
  return (JSON.parse(root.read(FILE).toString()) as { waiting: OptOut[] }).waiting;
}

export function requestOptOut(root: Directory, request: OptOut): void {
  change(root, (waiting) => {
    if (waiting.some(({ host }) => host === request.host)) return waiting;
    if (waiting.length >= MAX_WAITING)
      throw new UsageError(
        'list-full',
        'Too many requests wait for the operator; write to the contact below.',
      );
    return [...waiting, request];
  });
}

export function decideOptOut(root: Directory, host: string): void {
  change(root, (waiting) => waiting.filter((each) => each.host !== host));
}

function change(root: Directory, to: (waiting: OptOut[]) => OptOut[]): void {
  const lock = acquireLock(root, 'opt-outs', 'another request');
  try {
    root.replace(FILE, Buffer.from(`${JSON.stringify({ waiting: to(listOptOuts(root)) })}\n`));
  } finally {
    lock.release();
  }
}
