import { Injectable } from '@nestjs/common';
import { LiveEventsService } from '../../../common/live/live-events.service.js';
import { storableText } from '../../../common/text/storable-text.js';
import type { OfferRole } from '../../../runtime/tools/call-controls.js';
import { Handles } from '../../../queues/workers/handles.js';
import type { Role } from '../../accounts/members/role.js';
import { AvailabilityService } from '../../accounts/members/availability/availability.service.js';
import { type CallPerson, keyOfPerson } from '../../active-calls/person-takeovers/person-takeover.js';
import { TakeoverRecordsService } from '../../active-calls/person-takeovers/takeover-records.service.js';
import { OfferGoneError, OfferNotFoundError, OfferTakenError } from './transfer-offers.errors.js';
import { sweepTransferOffersJob } from './sweep-transfer-offers.job.js';
import { type OfferedCall, type OfferState, TransferOffersRepository } from './transfer-offers.repository.js';

export type { OfferedCall } from './transfer-offers.repository.js';

/** As long as the telephone of a supervisor rings. */
const RING_SECONDS = 30;

/** Owners may do what operators may. */
const ROLES_OF: Readonly<Record<OfferRole, readonly Role[]>> = { operator: ['owner', 'operator'] };

/** Whether a person with this role is asked. */
function isAsked(role: Role, offer: { readonly role: OfferRole }): boolean {
  return ROLES_OF[offer.role].includes(role);
}

/** A person of an account, or a key of it. */
export interface OfferReader {
  readonly userId: number;
  /** The owner and keys have `owner`. */
  readonly role: Role;
  /** Only people take calls; a key reads all. */
  readonly isPerson: boolean;
}

/** The offers of calls, for the process that has the call and for those that answer people. */
@Injectable()
export class TransferOffersService {
  constructor(
    private readonly offers: TransferOffersRepository,
    private readonly availability: AvailabilityService,
    private readonly takeovers: TakeoverRecordsService,
    private readonly live: LiveEventsService,
  ) {}

  /** Rings from now on. @returns its id */
  async open(userId: number, callId: number, role: OfferRole, briefing: string): Promise<number> {
    const offer = { userId, callId, role, briefing: storableText(briefing) };
    const id = await this.offers.add(offer, RING_SECONDS);
    this.changed(userId, id);
    return id;
  }

  /** Keys of the people who take calls with this role, and have no customer now. */
  async findAvailable(userId: number, role: OfferRole): Promise<string[]> {
    const [people, busy] = await Promise.all([
      this.availability.listAvailable(userId),
      this.takeovers.listBusy(userId),
    ]);
    return people
      .filter((person) => isAsked(person.role, { role }))
      .map(({ memberId }) => keyOfPerson(memberId))
      .filter((key) => !busy.includes(key));
  }

  find(userId: number, id: number): Promise<OfferState | null> {
    return this.offers.find(userId, id);
  }

  /**
   * Those that ring for a person, or all that a key reads.
   *
   * @param key as in CallPerson
   */
  async list({ userId, role, isPerson }: OfferReader, key: string): Promise<OfferedCall[]> {
    const offers = (await this.offers.list(userId, key)).filter((offer) => isAsked(role, offer));
    if (!isPerson || offers.length === 0) return offers;
    const available = await this.findAvailable(userId, 'operator');
    return available.includes(key) ? offers : [];
  }

  /** @throws OfferNotFoundError */
  async get({ userId, role }: OfferReader, id: number): Promise<OfferState> {
    const offer = await this.offers.find(userId, id);
    if (!offer || !isAsked(role, offer)) throw new OfferNotFoundError();
    return offer;
  }

  /**
   * The same person may accept once more, where the answer was lost.
   *
   * @throws OfferNotFoundError | OfferTakenError | OfferGoneError
   */
  async accept(reader: OfferReader, id: number, person: CallPerson): Promise<void> {
    if (await this.offers.accept(reader.userId, id, person)) return this.changed(reader.userId, id);
    const { status, acceptedBy } = await this.get(reader, id);
    if (status !== 'accepted' && status !== 'held') throw new OfferGoneError();
    if (acceptedBy?.key !== person.key) throw new OfferTakenError();
  }

  /** @throws OfferNotFoundError | OfferTakenError | OfferGoneError */
  async decline(reader: OfferReader, id: number, key: string): Promise<void> {
    const { acceptedBy } = await this.get(reader, id);
    if (acceptedBy && acceptedBy.key !== key) throw new OfferTakenError();
    if (!(await this.offers.decline(reader.userId, id, key))) throw new OfferGoneError();
    this.changed(reader.userId, id);
  }

  /** The person who has accepted has the customer. */
  async hold(userId: number, id: number): Promise<void> {
    await this.offers.move(id, 'held');
    this.changed(userId, id);
  }

  /** Rings no more. @returns false when a person has accepted in the meantime */
  async withdraw(userId: number, id: number): Promise<boolean> {
    const isWithdrawn = await this.offers.move(id, 'ended', ['ringing']);
    this.changed(userId, id);
    return isWithdrawn;
  }

  async end(userId: number, id: number): Promise<void> {
    await this.offers.move(id, 'ended');
    this.changed(userId, id);
  }

  /** For a call that another process begins to talk on: its offers have ended with the first one. */
  async endOf(userId: number, callId: number): Promise<void> {
    for (const id of await this.offers.endOf(callId)) this.changed(userId, id);
  }

  /** Safe in many processes at once. */
  @Handles(sweepTransferOffersJob)
  sweep(): Promise<void> {
    return this.offers.removeOld();
  }

  private changed(userId: number, id: number): void {
    this.live.publish(`account ${userId}`, 'transfer-offer', id);
  }
}
