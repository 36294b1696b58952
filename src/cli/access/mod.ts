/**
 * The access of operators: accounts with passwords, API keys, and the audit log of their actions. Only hashes of passwords and
 * keys are stored.
 */

export { accessCommand } from './access-command.ts';
export { createFirstAccount, type NewPassword, openAccounts } from './accounts.ts';
export {
  type AuditEntry,
  appendAudit,
  auditLine,
  cliUser,
  parseAuditLine,
  readAudit,
} from './audit-log.ts';
