import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { Logger } from '../../../common/observability/logger.js';
import { SystemClock } from '../../../common/time/clock.js';
import { CallAssistantsService } from '../../active-calls/call-assistants.service.js';
import type { QueueTerms } from '../../active-calls/queue/queue-terms.js';
import { CallLostError } from '../../calls/calls.errors.js';
import { CallRunnerService } from '../call-runner.service.js';
import { MessageVoicesService, type Speaker } from '../message-voices.service.js';
import { type MonitoredCall, sinceAnswerMs } from '../monitored-call.js';
import { QueueAnnouncements } from './queue-announcements.js';
import { NoAssistantError, QueueExitsService, type WaitedRouting } from './queue-exits.service.js';
import { QueueFallbacksService } from './queue-fallbacks.service.js';
import { QueueMetricsService } from './queue-metrics.service.js';
import { QueuePlacesService } from './queue-places.service.js';

/** How a wait ended; `lost`: another process has the call. The others are why no assistant talks. */
type Outcome = 'served' | 'abandoned' | 'lost' | 'queue_timeout' | 'no_assistant' | 'balance';

/** Keeps answered calls until an assistant can talk on them: their callers hear music, and where they stand. */
@Injectable()
export class WaitingCallsService {
  constructor(
    private readonly places: QueuePlacesService,
    private readonly exits: QueueExitsService,
    private readonly fallbacks: QueueFallbacksService,
    private readonly voices: MessageVoicesService,
    private readonly assistants: CallAssistantsService,
    private readonly runner: CallRunnerService,
    private readonly metrics: QueueMetricsService,
    private readonly logger: Logger,
  ) {}

  /**
   * Returns when the wait is over: true where an assistant is to talk, false where the call is over, or has been released.
   *
   * @throws CallCarrierError when the line cannot be watched at its end
   * @throws CallLostError when another process has the call
   */
  async wait(answered: MonitoredCall, terms: QueueTerms, answeredAt: Date | null): Promise<boolean> {
    const { lease } = answered;
    const { gate } = lease.feed;
    gate.expect();
    const since = answeredAt ?? new Date();
    // The process that has answered the call has read it before the answer.
    const waiting = { ...answered, call: { ...answered.call, answeredAt: since } };
    const waitedMs = () => Math.round(sinceAnswerMs(lease, since));
    const { speaker, announces } = await this.assistantOf(waiting, terms);
    // The assistant tells the caller of listeners, who hear nothing of the wait.
    if (!announces) gate.use(null);
    const outcome = await this.waitForOutcome(waiting, terms, speaker, waitedMs);
    if (outcome === null) return false;
    if (outcome === 'lost') throw new CallLostError();
    const routing = routedAfter(waiting, waitedMs());
    const isRefused = outcome !== 'served' && outcome !== 'abandoned';
    this.metrics.waited(isRefused ? 'timeout' : outcome, routing.waitedMs);
    if (outcome === 'served') return true;
    // An assistant that talks instead notifies the caller itself.
    if (!isRefused || terms.fallback.action !== 'assistant') gate.use(null);
    if (isRefused)
      return this.fallbacks.take(waiting, terms.fallback, speaker, { ...routing, reason: outcome });
    await this.fallbacks.abandon(waiting, routing);
    return false;
  }

  /** Null where the call has been released: another process may have it. */
  private async waitForOutcome(
    waiting: MonitoredCall,
    terms: QueueTerms,
    speaker: Speaker,
    waitedMs: () => number,
  ): Promise<Outcome | null> {
    const { call, lease } = waiting;
    const clock = new SystemClock(lease.line.capabilities.speed);
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, lease.signal]);
    let outcome: Outcome | null = null;
    const ended = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const end = (how: Outcome) => {
      outcome ??= how;
      over.abort();
    };
    const announcements = new QueueAnnouncements({
      open: () => this.voices.open(waiting, speaker, clock, signal),
      clock,
      language: speaker.language,
      message: waitedMs() < 2_000 ? terms.message : null,
      onError: (err) => this.logger.warn('caller who waits hears nothing', { callId: call.id, err }),
    });
    let attempt: Promise<unknown> = Promise.resolve();
    const unfollow = this.places.follow(call.id, {
      onPlace: (position) => announcements.moveTo(position),
      tryToServe: () => {
        const isServed = this.tryToServe(waiting, terms, waitedMs, end);
        attempt = isServed;
        return isServed;
      },
    });
    const cancel = clock.after(terms.maxSeconds * 1_000 - waitedMs(), () => end('queue_timeout'));
    void this.voices.watchEnd(waiting, signal, () => end('abandoned'));
    void announcements.start();
    await ended;
    unfollow();
    cancel();
    await announcements.close();
    // An attempt under way decides: it may have given the call a line.
    const wasServed = (await attempt) === true;
    return wasServed && lease.isHeld ? 'served' : outcome;
  }

  /** Never fails. */
  private async tryToServe(
    waiting: MonitoredCall,
    terms: QueueTerms,
    waitedMs: () => number,
    end: (how: Outcome) => void,
  ): Promise<boolean> {
    const { lease } = waiting;
    if (!lease.isHeld) return false;
    if (lease.line.capabilities.livesInProcess && !this.runner.takesOwnLines) return false;
    try {
      const routing = routedAfter(waiting, waitedMs());
      const isServed = await this.exits.serve(waiting, terms.assistantId, routing);
      if (isServed) end('served');
      return isServed;
    } catch (err) {
      if (err instanceof CallLostError) end('lost');
      else if (err instanceof NoAssistantError) end('no_assistant');
      else if (err instanceof DomainError && err.kind !== 'unavailable') end('balance');
      else this.logger.warn('waiting call not served', { callId: lease.callId, err });
      return false;
    }
  }

  /** The assistant that the caller waits for speaks. It, or the one that talks instead, notifies the caller of listeners. */
  private async assistantOf(
    { call: { userId } }: MonitoredCall,
    { assistantId, language, fallback }: QueueTerms,
  ): Promise<{ readonly speaker: Speaker; readonly announces: boolean }> {
    const assistant = await this.assistants.find({ userId, assistantId });
    const other =
      fallback.action === 'assistant'
        ? await this.assistants.find({ userId, assistantId: fallback.assistant_id })
        : null;
    const announces = [assistant, other].some(
      (one) => (one?.settings.monitoringAnnouncement ?? null) !== null,
    );
    return { speaker: { language, voice: assistant?.voice ?? null }, announces };
  }
}

function routedAfter({ call }: MonitoredCall, waitedMs: number): WaitedRouting {
  return { ...(call.routing ?? { branch: 'open', action: 'assistant', reason: null }), waitedMs };
}
