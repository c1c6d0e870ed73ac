import { LRUCache } from 'lru-cache';
import type { NumberCarrier } from './number-carrier.js';

/** Each keeps some prices; one that is dropped asks for them again. */
const MAX_KEPT = 500;

/** Who rents numbers out: the carrier of the installation, and the same kind for accounts with credentials of their own. */
export class NumberCarriers {
  private readonly own = new LRUCache<string, NumberCarrier>({ max: MAX_KEPT });

  constructor(
    private readonly installation: NumberCarrier,
    private readonly makeOwn: (carrierAccountId: string) => NumberCarrier,
  ) {}

  /** @param carrierAccountId id of the row of `carrier_accounts`; null for the installation's */
  of(carrierAccountId: string | null): NumberCarrier {
    if (carrierAccountId === null) return this.installation;
    const known = this.own.get(carrierAccountId) ?? this.makeOwn(carrierAccountId);
    this.own.set(carrierAccountId, known);
    return known;
  }
}
