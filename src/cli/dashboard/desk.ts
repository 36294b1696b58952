/** Connects the admin pages with the data directory. */
import { type Directory, systemClock } from '../../base/mod.ts';
import type { AdminDesk } from '../../serve/mod.ts';
import { appendAudit, readAudit } from '../access/mod.ts';

export function openDesk(root: Directory): AdminDesk {
  return {
    audit(who, action, target) {
      appendAudit(root, { who, action, ...(target !== undefined && { target }) }, systemClock.now());
    },
    readAudit: (limit) => readAudit(root, limit),
  };
}
