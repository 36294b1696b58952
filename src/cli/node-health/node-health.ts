/** Collects the readiness and the metrics of the roles of a node, for its health checks. */
import type { Gauge } from '../../serve/mod.ts';

export interface RoleHealth {
  /** Returns why the role cannot do its work now; null if it can. */
  notReady(): string | null;
  gauges(): Gauge[];
}

export class NodeHealth {
  readonly #roles = new Map<string, RoleHealth>();

  /** Sets the report of a role, or of the node itself. A later one replaces it. */
  set(role: string, health: RoleHealth): void {
    this.#roles.set(role, health);
  }

  /** Returns a sentence for each role that cannot do its work now. */
  problems(): string[] {
    return [...this.#roles].flatMap(([role, health]) => {
      const problem = health.notReady();
      return problem === null ? [] : [`${role}: ${problem}`];
    });
  }

  gauges(): Gauge[] {
    return [...this.#roles.values()].flatMap((health) => health.gauges());
  }
}
