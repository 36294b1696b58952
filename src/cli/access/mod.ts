/**
 * Who may administer the engine, and what they did: accounts with passwords, API keys, and the audit log. Only hashes
 * are stored.
 */

export { accessCommand } from './access-command.ts';
export { createFirstAccount, type NewPassword, openAccounts } from './accounts.ts';
export { appendAudit, cliUser, readAudit } from './audit-log.ts';
