/** The audit log of a cluster, for the admin pages of its gateways. */
import { type Log, messageOf, systemClock } from '../../base/mod.ts';
import { appendClusterAudit, type ClusterDatabase, readClusterAudit } from '../../cluster/mod.ts';
import type { AdminDesk } from '../../serve/mod.ts';
import { auditLine, parseAuditLine } from '../access/mod.ts';

export function openGatewayDesk(database: ClusterDatabase, log: Log): AdminDesk {
  return {
    audit(who, action, target) {
      const entry = auditLine({ who, action, ...(target !== undefined && { target }) }, systemClock.now());
      appendClusterAudit(database, entry).catch((error: unknown) =>
        log.error('action not in the audit log', { entry, reason: messageOf(error) }),
      );
    },
    readAudit: async (limit) => (await readClusterAudit(database, limit)).flatMap(parseAuditLine),
  };
}
