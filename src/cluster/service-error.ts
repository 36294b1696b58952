import { UsageError } from '../base/mod.ts';

/** A service of the cluster cannot be used. `canHeal` is true if a later attempt may succeed. */
export class ServiceError extends UsageError {
  readonly service: string;
  readonly canHeal: boolean;

  constructor(code: string, service: string, canHeal: boolean, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.service = service;
    this.canHeal = canHeal;
  }
}
