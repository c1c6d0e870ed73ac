import { Injectable } from '@nestjs/common';
import type { BranchAction, CallRouting } from '../../../common/phone/call-routing.js';
import { Logger } from '../../../common/observability/logger.js';
import { CallLostError } from '../../calls/calls.errors.js';
import { CallConclusionService } from '../ends/call-conclusion.service.js';
import { FarEndsService } from '../forwards/far-ends.service.js';
import { MessageVoicesService, type Speaker } from '../message-voices.service.js';
import { type MonitoredCall, sinceAnswerMs } from '../monitored-call.js';
import { QueueExitsService, type WaitedRouting } from './queue-exits.service.js';

/** What becomes of callers for whom no line was free in time, or who have hung up. */
@Injectable()
export class QueueFallbacksService {
  constructor(
    private readonly exits: QueueExitsService,
    private readonly conclusion: CallConclusionService,
    private readonly voices: MessageVoicesService,
    private readonly farEnds: FarEndsService,
    private readonly logger: Logger,
  ) {}

  /** The caller has hung up. */
  async abandon(waiting: MonitoredCall, routing: WaitedRouting): Promise<void> {
    await this.conclusion.concludeUnassisted(await this.exits.leave(waiting, routing), 'customer');
  }

  /**
   * Does what the routing says of calls that nothing else can answer.
   *
   * @param routing says why
   * @returns whether an assistant is to talk; else the call is over
   */
  async take(
    waiting: MonitoredCall,
    fallback: BranchAction,
    speaker: Speaker,
    routing: WaitedRouting,
  ): Promise<boolean> {
    const { action } = fallback;
    const how: WaitedRouting = { ...routing, branch: 'unavailable', action };
    switch (action) {
      case 'assistant':
        if (await this.tried(waiting, () => this.exits.serve(waiting, fallback.assistant_id, how)))
          return true;
        break;
      case 'forward':
        if (await this.forward(waiting, fallback.phone_number, how)) return false;
        break;
      case 'message':
        await this.speak(await this.exits.leave(waiting, how), fallback.text, speaker);
        return false;
      case 'busy':
        break;
    }
    const left = await this.exits.leave(waiting, { ...how, action: 'busy' } satisfies CallRouting);
    await this.conclusion.concludeUnassisted(left, 'limit');
    return false;
  }

  private async speak(answered: MonitoredCall, text: string, speaker: Speaker): Promise<void> {
    const { active, call, lease } = answered;
    const leftMs = active.maxDurationSeconds * 1_000 - sinceAnswerMs(lease, call.answeredAt);
    await this.voices.say(answered, { text, ...speaker }, leftMs);
    await this.conclusion.concludeMessage(answered);
  }

  private async forward(waiting: MonitoredCall, to: string, routing: WaitedRouting): Promise<boolean> {
    const how = { ...routing, forwardedTo: to };
    const forwarded = await this.tried(waiting, () => this.exits.forward(waiting, how));
    if (!forwarded) return false;
    await this.farEnds.connect(forwarded, to);
    return true;
  }

  /** Null where it cannot be done. @throws CallLostError */
  private async tried<T>({ call }: MonitoredCall, attempt: () => Promise<T>): Promise<T | null> {
    try {
      return await attempt();
    } catch (err) {
      if (err instanceof CallLostError) throw err;
      this.logger.warn('fallback of a waiting call not taken', { callId: call.id, err });
      return null;
    }
  }
}
