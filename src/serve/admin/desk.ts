/** The facts that the admin pages show and the actions that they offer. `cli/` implements it with the files and threads of the engine. */

export interface AdminDesk {
  /** Records an action of a person in the audit log. */
  audit(who: string, action: string, target?: string): void;
  /** Returns the last lines of the audit log, the newest first. */
  readAudit(limit: number): AuditLine[] | Promise<AuditLine[]>;
}

export interface AuditLine {
  time: string;
  who: string;
  action: string;
  target?: string;
}
