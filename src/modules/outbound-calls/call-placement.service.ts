import { Injectable } from '@nestjs/common';
import { failpoint } from '../../common/failpoints.js';
import { Logger } from '../../common/observability/logger.js';
import { inCallSpan } from '../../common/observability/tracing.js';
import { Clock } from '../../common/time/clock.js';
import { CallsConfig } from '../../config/config.js';
import { SessionLocks } from '../../database/connections/session-locks.js';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import { CarrierBreakerService } from '../active-calls/carrier-breaker/carrier-breaker.service.js';
import { CallCompletionService } from '../call-completion/call-completion.service.js';
import { CallMetricsService } from '../active-calls/call-metrics.service.js';
import { CallSessionsService } from '../call-sessions/call-sessions.service.js';
import { ActiveCallsService } from '../active-calls/active-calls.service.js';
import { EndRequestsService } from '../active-calls/ends/end-requests.service.js';
import type { RunningCall } from '../active-calls/running-call.js';
import { CallLostError } from '../calls/calls.errors.js';
import { isCallingHour, keepsHours } from '../calls/calling-hours.js';
import { CallRateLimiter, type PacedCall } from '../active-calls/rate-limit/call-rate-limiter.js';
import { VoiceDispatchService } from '../voice-workers/voice-dispatch.service.js';

/** See CallPlacementService.send. */
export type SendResult = 'sent' | 'not-sent' | 'undelivered' | 'unknown';

/** A carrier that cannot be asked for so long will not be asked any more. */
const GIVE_UP_AFTER_MS = 600_000;

/** So long a call that somebody waits for is sent again while the carrier takes none. */
const KEEP_TRYING_MS = 60_000;

/** What is known of a call that may have been sent. */
type Knowledge = { readonly carrierCallId: string } | 'never-sent' | 'cannot-tell' | 'ask-later';

/** Asks the carrier for calls. Under whose lock that happens, is for the callers to see to. */
@Injectable()
export class CallPlacementService {
  constructor(
    private readonly carriers: CallCarriers,
    private readonly breaker: CarrierBreakerService,
    private readonly rateLimiter: CallRateLimiter,
    private readonly activeCalls: ActiveCallsService,
    private readonly endRequests: EndRequestsService,
    private readonly sessions: CallSessionsService,
    private readonly completion: CallCompletionService,
    private readonly voice: VoiceDispatchService,
    private readonly locks: SessionLocks,
    private readonly metrics: CallMetricsService,
    private readonly config: CallsConfig,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Asks the carrier for a reserved call; the one place that does. To be called under a lock that no other process can
   * have, held until this returns. Calling it again is safe: a call that the carrier has is not dialled again.
   *
   * - `sent`: the carrier has the call, and this process monitors it to its end
   * - `not-sent`: the carrier provably placed no call; the call has failed
   * - `undelivered`: a lead's call that was not sent because the carrier is away, takes no calls now, or it must not be
   *   dialled; to be withdrawn, under the same lock
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
        return this.withCallLock(callId, () => this.endLost(callId));
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
  private async withCallLock(callId: number, deed: () => Promise<SendResult>): Promise<SendResult> {
    return (await this.locks.tryWith('call', callId, deed)) ?? 'unknown';
  }

  /**
   * The process that was about to place it is gone, and nobody else can carry its sound. Where the carrier has told of the
   * call since, or tells now, it is known to have been dialled, and ended if it still rings.
   */
  private async endLost(callId: number): Promise<SendResult> {
    const found = await this.activeCalls.find(callId);
    if (found?.active.stage !== 'placing') return 'unknown';
    const lost = await this.findLost(found);
    if (lost === 'ask-later') return 'unknown';
    if (lost === null) return this.giveUp(found, 'unknown');
    try {
      await this.carrierOf(found).hangUp(lost.carrierCallId);
    } catch (error) {
      if (!(error instanceof CallCarrierError)) throw error;
      this.logger.warn('call of a lost process not hung up', { callId, err: error });
      if (error.code !== 'no-such-call' && (await this.sendingForMs(found)) <= GIVE_UP_AFTER_MS)
        return 'unknown';
    }
    return this.giveUp(found, 'sent');
  }

  /** Null where the carrier does not know the call, or cannot tell. */
  private async findLost(
    found: RunningCall,
  ): Promise<{ readonly carrierCallId: string } | 'ask-later' | null> {
    const { carrierCallId } = found.active;
    if (carrierCallId !== null) return { carrierCallId };
    const knowledge = await this.ask(found);
    if (typeof knowledge === 'object') return knowledge;
    const mayTellLater = knowledge === 'ask-later' && (await this.sendingForMs(found)) <= GIVE_UP_AFTER_MS;
    return mayTellLater ? 'ask-later' : null;
  }

  private async postponeUnplaced(callId: number): Promise<SendResult> {
    const found = await this.activeCalls.find(callId);
    // From here on no process begins to place it that was given the call before.
    if (!found || !(await this.activeCalls.beginPlacing(found.call))) return 'unknown';
    return this.postpone(found, true);
  }

  /** @param mayBeOld the call may stand otherwise by now */
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
        // Before anybody could think that it was sent.
        if (this.mayDial(found, dialBeforeMs) && !(await this.rateLimiter.acquire(this.pacedCall(found))))
          return this.postponeUnplaced(callId);
        return this.placeFirst(found, dialBeforeMs, mayBeOld);
      case 'placing':
        return this.recover(found, dialBeforeMs);
      case 'open':
        await this.sessions.adopt(callId);
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
    // Asked again, since hours may have ended while it waited for its turn.
    if (this.mayDial(found, dialBeforeMs) && !begun.isToEnd) return this.place(found, true);
    return isOfCampaign(found) ? 'undelivered' : this.giveUp(found, 'not-sent');
  }

  /** Whether somebody may be called now: by whoever sends, and by the hours of the callee's country. */
  private mayDial(found: RunningCall, dialBeforeMs: number): boolean {
    if (performance.now() >= dialBeforeMs) return false;
    const { type, clientPhoneNumber } = found.call;
    // Who calls from a browser is not called.
    if (type !== 'outbound' || !keepsHours(this.config.callingHours, this.carrierOf(found))) return true;
    return isCallingHour(clientPhoneNumber ?? '', this.clock.date());
  }

  /** Gives up a call that nobody wants any more, or ends it where the carrier has it. To be called until it has ended. */
  async abandon(callId: number): Promise<void> {
    const found = await this.activeCalls.find(callId);
    switch (found?.active.stage) {
      case 'waiting':
        if (await this.activeCalls.beginPlacing(found.call)) await this.giveUp(found, 'not-sent');
        return;
      case 'placing': {
        const knowledge = await this.ask(found);
        if (knowledge === 'never-sent') await this.giveUp(found, 'not-sent');
        else await this.actOn(found, knowledge);
        return;
      }
      case 'open':
        await this.endOpen(found);
        return this.sessions.adopt(callId);
      case 'evaluating':
      case undefined:
        return;
    }
  }

  private async endOpen(found: RunningCall): Promise<void> {
    const { callId, userId, carrierCallId } = found.active;
    const carrier = this.carrierOf(found);
    // The process that has such a line hangs it up; the mark tells it to.
    if (carrier.capabilities.livesInProcess) await this.endRequests.request(userId, callId);
    else if (carrierCallId !== null) await carrier.hangUp(carrierCallId);
  }

  private async resultOfEnded(callId: number): Promise<SendResult> {
    const call = await this.activeCalls.findRecord(callId);
    if (call?.dialInDoubt) return 'unknown';
    return call?.status === 'failed' && call.startedAt === null ? 'not-sent' : 'sent';
  }

  /** @param isFirst nobody has asked the carrier for this call before, so that what it has not got was never sent */
  private async place(found: RunningCall, isFirst: boolean): Promise<SendResult> {
    const { call, active } = found;
    const carrier = this.carrierOf(found);
    // Another process has the line for it, or the time, that this one has not.
    const isLate = carrier.capabilities.livesInProcess && !this.sessions.takesOwnLines;
    if (isLate || !carrier.placesHere) return this.postpone(found, isFirst);
    try {
      const placing = inCallSpan(call.id, 'call.place', { 'prosa.carrier': carrier.family }, () =>
        this.breaker.pass(carrier.name, () =>
          carrier.place({
            key: call.attemptId ?? '',
            from: call.assistantPhoneNumber ?? '',
            to: call.clientPhoneNumber ?? '',
            phoneNumberId: active.phoneNumberId,
            ringingTimeoutMs: active.ringingSeconds * 1_000,
          }),
        ),
      );
      const [{ callId: carrierCallId }] = await Promise.all([placing, failpoint('after-send-before-reply')]);
      this.metrics.dialled(carrier.family, 'sent');
      await this.monitor(found, carrierCallId);
      return 'sent';
    } catch (error) {
      if (!(error instanceof CallCarrierError)) throw error;
      this.metrics.dialled(carrier.family, error.code);
      this.logger.warn('carrier did not take a call', {
        callId: call.id,
        code: error.code,
        sent: error.sent,
        err: error,
      });
      if (error.isUndelivered) return this.postpone(found, isFirst);
      return error.sent === 'no' ? this.giveUp(found, 'not-sent') : this.settleDoubt(found);
    }
  }

  /** The carrier is away or takes no calls now: that is no attempt. */
  private async postpone(found: RunningCall, isFirst: boolean): Promise<SendResult> {
    // A process may have sent it and died before it wrote that down: the same key is sent again.
    if (isOfCampaign(found)) return isFirst ? 'undelivered' : 'unknown';
    const ages = await this.activeCalls.agesOf(found.call.id);
    if (ages && ages.callMs > KEEP_TRYING_MS) return this.giveUp(found, 'not-sent');
    if (isFirst) await this.activeCalls.returnToWaiting(found.call.id);
    return 'unknown';
  }

  /** Somebody was about to send the call and died, or did not hear the answer. */
  private async recover(found: RunningCall, dialBeforeMs: number): Promise<SendResult> {
    const knowledge = await this.ask(found);
    if (knowledge === 'never-sent')
      return this.mayDial(found, dialBeforeMs) ? this.place(found, false) : this.giveUp(found, 'not-sent');
    return this.actOn(found, knowledge);
  }

  /** The same without sending again: one try in doubt is enough for one lock. */
  private async settleDoubt(found: RunningCall): Promise<SendResult> {
    const knowledge = await this.ask(found);
    if (knowledge !== 'never-sent') return this.actOn(found, knowledge);
    // The request may still be on its way, so a lead keeps its attempt and its key until the carrier has answered.
    return isOfCampaign(found) ? 'unknown' : this.giveUp(found, 'not-sent');
  }

  private async actOn(found: RunningCall, knowledge: Exclude<Knowledge, 'never-sent'>): Promise<SendResult> {
    if (typeof knowledge === 'object') {
      await this.monitor(found, knowledge.carrierCallId);
      return 'sent';
    }
    const isHopeless = knowledge === 'cannot-tell' || (await this.sendingForMs(found)) > GIVE_UP_AFTER_MS;
    return isHopeless ? this.giveUp(found, 'unknown') : 'unknown';
  }

  /** Whoever lost the lock in mid-request may come back to a call that was given up meanwhile: it must not ring on. */
  private async monitor(found: RunningCall, carrierCallId: string): Promise<void> {
    const { id: callId } = found.call;
    if (await this.sessions.begin(found, carrierCallId)) return;
    const now = await this.activeCalls.find(callId);
    if (now?.active.carrierCallId === carrierCallId) return;
    await this.carrierOf(found).hangUp(carrierCallId);
    this.logger.warn('call hung up that had been given up', { callId });
  }

  private async sendingForMs({ call }: RunningCall): Promise<number> {
    const ages = await this.activeCalls.agesOf(call.id);
    return ages?.stageMs ?? 0;
  }

  private async ask(found: RunningCall): Promise<Knowledge> {
    try {
      const carrier = this.carrierOf(found);
      const lookup = await carrier.findCall(found.call.attemptId ?? '');
      if (lookup.found === 'yes') return { carrierCallId: lookup.call.callId };
      // A carrier that keeps keys does not dial one twice, so it may get it again.
      const isKept = (await this.sendingForMs(found)) < carrier.capabilities.keyRetentionMs;
      return lookup.found === 'absent' || isKept ? 'never-sent' : 'cannot-tell';
    } catch (error) {
      if (!(error instanceof CallCarrierError)) throw error;
      return 'ask-later';
    }
  }

  private carrierOf({ active }: RunningCall): CallCarrier {
    return this.carriers.named(active.carrier);
  }

  private pacedCall(found: RunningCall): PacedCall {
    const { call, active } = found;
    const { userId, phoneNumberId, callsPerSecond } = active;
    // Who calls from a browser is not called.
    const isCalled = call.type === 'outbound';
    return {
      carrier: this.carrierOf(found),
      userId,
      phoneNumberId,
      callsPerSecond: isCalled ? callsPerSecond : null,
    };
  }

  private async giveUp(found: RunningCall, result: SendResult): Promise<SendResult> {
    try {
      await this.completion.unanswered(found, 'failed', null, { dialInDoubt: result === 'unknown' });
    } catch (error) {
      if (!(error instanceof CallLostError)) throw error;
    }
    return result;
  }
}

/** Such a call is its lead's attempt, which the dialler takes back when it was not sent. */
function isOfCampaign({ call }: RunningCall): boolean {
  return call.campaignName !== null;
}
