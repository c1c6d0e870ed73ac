import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { LookupResult } from '../../caller-lookups/lookup.js';
import { NumberRoutingsService } from '../number-routings.service.js';
import { type RoutingPreview, RoutingPreviewsService } from '../routing-previews.service.js';
import { decisionOf } from './lookup-decision.js';
import type { FinishedLookup } from './number-lookups.repository.js';
import { NumberLookupsService } from './number-lookups.service.js';

/** A call that is only imagined. */
export interface ImaginedCall {
  readonly customerPhone: string;
  readonly at: Date;
}

export interface RoutingTest {
  readonly preview: RoutingPreview;
  /** Null where the number has no lookup. */
  readonly lookup: LookupResult | null;
}

/** Tries routings out: the owner's server is asked, and no one is called. */
@Injectable()
export class RoutingTestsService {
  constructor(
    private readonly routings: NumberRoutingsService,
    private readonly lookups: NumberLookupsService,
    private readonly previews: RoutingPreviewsService,
  ) {}

  /** What the routing would do with a call. @throws PhoneNumberNotFoundError | ValidationFailedError */
  async test(
    userId: number,
    phoneNumberId: number,
    { customerPhone, at }: ImaginedCall,
  ): Promise<RoutingTest> {
    const number = await this.routings.find(userId, phoneNumberId);
    const offerId = `test-${randomUUID()}`;
    const call = { offerId, customerPhone, at, callId: null, sipHeaders: {}, isTest: true };
    const asked = await this.lookups.ask(number, call);
    const lookup = asked === 'taken' ? null : asked;
    const decision = decisionOf(lookup?.answer ?? null);
    return {
      preview: await this.previews.preview(userId, phoneNumberId, number.routing, at, decision),
      lookup,
    };
  }

  /** What came of the newest lookups. @throws PhoneNumberNotFoundError | ValidationFailedError */
  async listLookups(userId: number, phoneNumberId: number): Promise<readonly FinishedLookup[]> {
    await this.routings.find(userId, phoneNumberId);
    return this.lookups.list(userId, phoneNumberId);
  }
}
