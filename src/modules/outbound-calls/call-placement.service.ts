import { Injectable } from '@nestjs/common';
import { SessionLocks } from '../../database/connections/session-locks.js';
import { ActiveCallsService } from '../active-calls/active-calls.service.js';
import type { RunningCall } from '../active-calls/running-call.js';
import { CallAdoptionService } from '../call-sessions/call-adoption.service.js';
import { VoiceDispatchService } from '../voice-workers/voice-dispatch.service.js';
import { CallDiallingService } from './dialling/call-dialling.service.js';
import { DialPolicyService } from './dialling/dial-policy.service.js';
import { LostCallsService } from './dialling/lost-calls.service.js';
import type { SendResult } from './dialling/send-result.js';
import { isOfCampaign, UnplacedCallsService } from './dialling/unplaced-calls.service.js';

/** Sends reserved calls, by their stage: in this process, or in the voice process that gets the call. */
@Injectable()
export class CallPlacementService {
  constructor(
    private readonly activeCalls: ActiveCallsService,
    private readonly adoption: CallAdoptionService,
    private readonly voice: VoiceDispatchService,
    private readonly locks: SessionLocks,
    private readonly policy: DialPolicyService,
    private readonly dialling: CallDiallingService,
    private readonly unplaced: UnplacedCallsService,
    private readonly lost: LostCallsService,
  ) {}

  /**
   * Asks the carrier for a reserved call; the one place that does. To be called under a lock that no other process can
   * have, held until this returns. Calling it again is safe: a call that the carrier has is not dialled again.
   *
   * - `sent`: the carrier has the call, and this process monitors it to its end
   * - `not-sent`: the carrier provably placed no call; the call has failed
   * - `undelivered`: a lead's call that was not sent, because the carrier is away or takes no calls now, or it must
   *   not be dialled. The caller withdraws it under the same lock
   * - `unknown`: the carrier does not answer; to be called again later, and the call fails in the end
   *
   * A call with sound is placed by the voice process it is given to.
   *
   * @param dialBeforeMs of `performance.now()`: from then on no number may be dialled, and the carrier is not asked for a call it
   *   has not got
   * @param reserved the call as `OutboundCallsService.reserveAll` has just written it, which spares reading it
   */
  async send(
    callId: number,
    dialBeforeMs = Infinity,
    reserved: RunningCall | null = null,
  ): Promise<SendResult> {
    const found = reserved ?? (await this.activeCalls.find(callId));
    const isPlaced = found === null || !['waiting', 'placing'].includes(found.active.stage);
    if (isPlaced || !this.voice.hasSound(found.active.carrier)) {
      return this.sendHere(callId, found, dialBeforeMs, reserved !== null);
    }
    const dispatch = await this.voice.send(found, dialBeforeMs);
    switch (dispatch) {
      case 'here':
        return this.withCallLock(callId, async () =>
          this.sendHere(callId, await this.activeCalls.find(callId), dialBeforeMs),
        );
      case 'lost':
        return this.withCallLock(callId, () => this.lost.end(callId));
      case 'no-room':
        return this.withCallLock(callId, () => this.postponeUnplaced(callId));
      case 'sent':
      case 'not-sent':
      case 'undelivered':
      case 'unknown':
        return dispatch;
    }
  }

  /** The lock is held while this process is suspended, so that no other one sends what this one may send when it is resumed. */
  private async withCallLock(callId: number, work: () => Promise<SendResult>): Promise<SendResult> {
    return (await this.locks.tryWith('call', callId, work)) ?? 'unknown';
  }

  private async postponeUnplaced(callId: number): Promise<SendResult> {
    const found = await this.activeCalls.find(callId);
    // From here on no process begins to place it that was given the call before.
    if (!found || !(await this.activeCalls.beginPlacing(found.call))) return 'unknown';
    return this.unplaced.postpone(found, true);
  }

  /** @param mayBeOld the stage of the call may have changed since `found` was read */
  private async sendHere(
    callId: number,
    found: RunningCall | null,
    dialBeforeMs: number,
    mayBeOld = false,
  ): Promise<SendResult> {
    switch (found?.active.stage) {
      case undefined:
        return this.resultOfEnded(callId);
      case 'waiting':
        // Before the stage changes: afterwards other processes assume that the call was sent.
        if (this.policy.mayDial(found, dialBeforeMs) && !(await this.policy.acquireRate(found)))
          return this.postponeUnplaced(callId);
        return this.placeFirst(found, dialBeforeMs, mayBeOld);
      case 'placing':
        return this.dialling.recover(found, dialBeforeMs);
      case 'open':
        await this.adoption.adopt(callId);
        return 'sent';
      case 'evaluating':
        return 'sent';
    }
  }

  private async placeFirst(found: RunningCall, dialBeforeMs: number, mayBeOld: boolean): Promise<SendResult> {
    const { id: callId } = found.call;
    const begun = await this.activeCalls.beginPlacing(found.call);
    if (!begun)
      return mayBeOld ? this.sendHere(callId, await this.activeCalls.find(callId), dialBeforeMs) : 'unknown';
    // Asked again, since hours may have ended while it waited for its rate slot.
    if (this.policy.mayDial(found, dialBeforeMs) && !begun.isToEnd) return this.dialling.dialFirst(found);
    return isOfCampaign(found) ? 'undelivered' : this.unplaced.fail(found, 'not-sent');
  }

  private async resultOfEnded(callId: number): Promise<SendResult> {
    const call = await this.activeCalls.findRecord(callId);
    if (call?.dialInDoubt) return 'unknown';
    return call?.status === 'failed' && call.startedAt === null ? 'not-sent' : 'sent';
  }
}
