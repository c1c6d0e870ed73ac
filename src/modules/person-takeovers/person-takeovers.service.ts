import { Injectable } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { storableText } from '../../common/text/storable-text.js';
import { Transactions } from '../../database/transactions.js';
import type { EarlierTakeover } from '../../runtime/call/session/call-setup.js';
import { CallsService } from '../calls/calls.service.js';
import { CallDeskService } from '../calls/desk/call-desk.service.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import type { CallLease } from '../active-calls/leases/call-lease.js';
import { CALL_HANDED_BACK } from './call-handed-back.event.js';
import { CALL_TAKEN_OVER } from './call-taken-over.event.js';
import type { CallPerson, Desk } from '../active-calls/person-takeovers/person-takeover.js';
import { TakeoverRecordsService } from '../active-calls/person-takeovers/takeover-records.service.js';
import { takeoverPayloadOf } from './takeover.payload.js';

/** A person whose connection is lost has the call for so long. */
const AWAY_MS = 10_000;

/** A call of this process, whose account is known. */
export interface HeldCall {
  readonly userId: number;
  readonly lease: Pick<CallLease, 'callId' | 'token' | 'feed'>;
}

/** `held`: another person has the customer. `not_held`: no assistant or person could be replaced, or the person does not hold the call. */
export type TakeoverRefusal = 'held' | 'not_held';

/** Lets people take over calls of this process and hand them back, which is on record before anyone hears it. */
@Injectable()
export class PersonTakeoversService {
  constructor(
    private readonly takeovers: TakeoverRecordsService,
    private readonly calls: CallsService,
    private readonly desk: CallDeskService,
    private readonly webhooks: WebhooksService,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  /**
   * The customer hears the person in place of the assistant. A person who has the call already continues by this connection.
   *
   * @param desk null: the person has no connection yet
   * @throws the error of the database; the assistant then has the customer
   */
  async takeOver(call: HeldCall, person: CallPerson, desk: Desk | null): Promise<TakeoverRefusal | null> {
    const { talk, takeover } = call.lease.feed;
    if (takeover.isHeldByOther(person)) return 'held';
    if (!talk?.desk.isTalking) return 'not_held';
    const wasHeld = takeover.person !== null;
    if (!takeover.claim(person, desk)) return 'not_held';
    if (wasHeld) return null;
    // The assistant is silent at once, and the person is heard when it is on record.
    const voice = talk.desk.takeOver(person);
    if (!voice) {
      takeover.release();
      return 'not_held';
    }
    call.lease.feed.showHolder();
    try {
      await this.record(call, 'taken_over', person, null);
    } catch (error) {
      await this.giveBack(call, null);
      throw error;
    }
    if (takeover.person === person) takeover.speakWith(voice);
    return null;
  }

  /**
   * The person takes over before they have a connection, and has as long to make one as after a lost one.
   *
   * @returns false when no assistant could be replaced
   * @throws as `takeOver`
   */
  async assign(call: HeldCall, person: CallPerson): Promise<boolean> {
    if ((await this.takeOver(call, person, null)) !== null) return false;
    const { takeover } = call.lease.feed;
    if (takeover.person?.key !== person.key) return false;
    takeover.waitForReturn(AWAY_MS, () => void this.endUnmet(call));
    return true;
  }

  /**
   * The assistant has the customer again.
   *
   * @param note an instruction for the assistant
   * @throws the error of the database
   */
  async handBack(call: HeldCall, desk: Desk, note: string | null): Promise<TakeoverRefusal | null> {
    const { takeover } = call.lease.feed;
    if (!takeover.person || !takeover.isHeldBy(desk)) return 'not_held';
    await this.record(call, 'handed_back', takeover.person, note);
    await this.giveBack(call, note);
    return null;
  }

  /** The connection of the person is lost; after ten seconds without another one the assistant has the customer again. */
  leave(call: HeldCall, desk: Desk): void {
    const { takeover } = call.lease.feed;
    if (takeover.isHeldBy(desk)) takeover.waitForReturn(AWAY_MS, () => void this.end(call));
  }

  /** The person may not have the call any more. */
  revoke(call: HeldCall, desk: Desk): void {
    if (call.lease.feed.takeover.isHeldBy(desk)) void this.end(call);
  }

  /** A person who comes back to a call that they have continues by the new connection. @throws the error of the database */
  async rejoin({ lease: { callId, feed } }: HeldCall, person: CallPerson, desk: Desk): Promise<void> {
    const { takeover } = feed;
    // This process may have taken the call over a moment ago, and not know of the person yet.
    const isUnknown = () => takeover.person === null && feed.talk === null;
    const found = isUnknown() ? await this.takeovers.find(callId) : null;
    if (found?.key === person.key && isUnknown()) takeover.claim(found, desk);
    else takeover.reconnect(person, desk);
  }

  /** For a call that this process begins to talk on: a person may have had it before. */
  async resume(call: HeldCall): Promise<EarlierTakeover> {
    const { takeover } = call.lease.feed;
    const found = takeover.person ? null : await this.takeovers.find(call.lease.callId);
    // The person may have come back in the meantime.
    if (found && !takeover.person && takeover.claim(found, null))
      takeover.waitForReturn(AWAY_MS, () => void this.end(call));
    return {
      person: () => takeover.person,
      onResumed: (voice) => {
        takeover.speakWith(voice);
        if (!voice) void this.forget(call);
      },
    };
  }

  /** Never fails: the person never came. */
  private async endUnmet(call: HeldCall): Promise<void> {
    await this.end(call);
    call.lease.feed.talk?.desk.reportAbsence();
  }

  /** Never fails: the person has gone. */
  private async end(call: HeldCall): Promise<void> {
    const { takeover } = call.lease.feed;
    if (!takeover.person) return;
    await this.record(call, 'handed_back', takeover.person, null).catch((err: unknown) =>
      this.logger.error('hand-back of a call not recorded', { callId: call.lease.callId, err }),
    );
    await this.giveBack(call, null);
  }

  private async giveBack({ lease: { callId, feed } }: HeldCall, note: string | null): Promise<void> {
    const { talk, takeover } = feed;
    takeover.release();
    feed.showHolder();
    await talk?.desk
      .handBack(note)
      .catch((err: unknown) => this.logger.error('call not handed back', { callId, err }));
  }

  /** The call ended, or began to be transferred, in the moment of the takeover. Never fails. */
  private async forget({ lease: { callId, token, feed } }: HeldCall): Promise<void> {
    feed.takeover.release();
    await this.transactions
      .run((tx) => this.takeovers.write(callId, token, null, tx))
      .catch((err: unknown) => this.logger.warn('takeover of a call not removed', { callId, err }));
  }

  private async record(
    { userId, lease: { callId, token } }: HeldCall,
    event: 'taken_over' | 'handed_back',
    person: CallPerson,
    text: string | null,
  ): Promise<void> {
    const { memberName } = person;
    await this.desk.record(userId, callId, { event, member_name: memberName, text });
    const call = await this.calls.findById(callId);
    const isWanted = await this.transactions.run(async (tx) => {
      const isOurs = await this.takeovers.write(callId, token, event === 'taken_over' ? person : null, tx);
      if (!call || !isOurs) return false;
      const note = text === null ? {} : { note: storableText(text) };
      const data = Object.assign(takeoverPayloadOf(call, person), note);
      const kind = event === 'taken_over' ? CALL_TAKEN_OVER : CALL_HANDED_BACK;
      return this.webhooks.publish({ userId, kind, subjectId: String(callId), data }, tx);
    });
    if (isWanted) this.webhooks.wake();
  }
}
