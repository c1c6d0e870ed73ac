import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../common/auth/principal.js';
import { isOfPerson } from '../../../common/auth/scopes.js';
import { MembersService } from '../../accounts/members/members.service.js';
import { type CallPerson, callPersonOf } from '../../active-calls/person-takeovers/person-takeover.js';
import type { MonitorGrant } from '../../calls/monitors/call-monitors.service.js';
import { OfferGoneError } from '../../person-takeovers/offers/transfer-offers.errors.js';
import {
  type OfferedCall,
  type OfferReader,
  TransferOffersService,
} from '../../person-takeovers/offers/transfer-offers.service.js';
import { CallMonitorGrantsService } from '../call-monitor-grants.service.js';
import { NoProcessOfCallError } from '../call-monitors.errors.js';

/** The process of the call hears of the answer within milliseconds; where the hint is lost, within a second. */
const CONNECT_MS = 5_000;
const LOOK_MS = 50;

/** Who answers, and as whom the call knows them. */
interface Answerer {
  readonly reader: OfferReader;
  readonly person: CallPerson;
}

/** A call that the person has from now on. */
export interface AcceptedCall {
  readonly callId: number;
  readonly grant: MonitorGrant;
}

/** Lets people read and answer the offers of calls. */
@Injectable()
export class OfferAnswersService {
  constructor(
    private readonly offers: TransferOffersService,
    private readonly grants: CallMonitorGrantsService,
    private readonly members: MembersService,
  ) {}

  /** Those that ring for the caller. A person who takes no calls, or has a customer, has none; a key reads all of its account. */
  async list(caller: Principal): Promise<OfferedCall[]> {
    const { reader, person } = await this.identify(caller);
    return this.offers.list(reader, person.key);
  }

  /**
   * The caller has the customer when this returns.
   *
   * @throws OfferNotFoundError | OfferTakenError | OfferGoneError, and what `CallMonitorGrantsService.grant` throws
   */
  async accept(caller: Principal, id: number): Promise<AcceptedCall> {
    const { reader, person } = await this.identify(caller);
    const { callId } = await this.offers.get(reader, id);
    // First, because a call to which the person could not connect is not given to them.
    const grant = await this.grants.grant(caller, callId);
    await this.offers.accept(reader, id, person);
    await this.waitUntilHeld(reader.userId, id);
    return { callId, grant };
  }

  /** It rings on for others. @throws OfferNotFoundError | OfferTakenError | OfferGoneError */
  async decline(caller: Principal, id: number): Promise<void> {
    const { reader, person } = await this.identify(caller);
    await this.offers.decline(reader, id, person.key);
  }

  private async waitUntilHeld(userId: number, id: number): Promise<void> {
    for (const endsMs = performance.now() + CONNECT_MS; performance.now() < endsMs; await sleep(LOOK_MS)) {
      const offer = await this.offers.find(userId, id);
      if (offer?.status === 'held') return;
      if (offer?.status !== 'accepted') throw new OfferGoneError();
    }
    throw new NoProcessOfCallError();
  }

  private async identify(caller: Principal): Promise<Answerer> {
    const { userId, memberId } = caller;
    const member = memberId === undefined ? null : await this.members.find(userId, memberId);
    return {
      reader: { userId, role: member?.role ?? 'owner', isPerson: isOfPerson(caller) },
      person: callPersonOf(caller, member?.name ?? null),
    };
  }
}
