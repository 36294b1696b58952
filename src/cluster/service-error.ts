import { UsageError } from '../base/mod.ts';

/** A service of the cluster cannot be used. `canHeal` is true if waiting and trying again may help. */
export class ServiceError extends UsageError {
  readonly service: string;
  readonly canHeal: boolean;

  constructor(code: string, service: string, canHeal: boolean, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.service = service;
    this.canHeal = canHeal;
  }
}
