import { Injectable } from '@nestjs/common';
import type { CallLease } from '../active-calls/leases/call-lease.js';
import { CallRunnerService } from './call-runner.service.js';
import { CallSessionsService } from './call-sessions.service.js';
import { CallConclusionService } from './ends/call-conclusion.service.js';
import { type Message, MessageVoicesService } from './message-voices.service.js';

/** Answers calls with a text, and hangs up. */
@Injectable()
export class SpokenMessagesService {
  constructor(
    private readonly sessions: CallSessionsService,
    private readonly runner: CallRunnerService,
    private readonly voices: MessageVoicesService,
    private readonly conclusion: CallConclusionService,
  ) {}

  /** Accepts an inbound call that this process has written with the lease, and speaks in the background. */
  speak(lease: CallLease, carrierCallId: string, message: Message): void {
    const { line } = lease;
    const { announce } = line;
    this.runner.start(
      lease,
      () =>
        this.sessions.follow(lease, {
          onAnswer: async (answered) => {
            if (announce) return this.conclusion.concludeAnnounced(answered);
            await this.voices.say(answered, message, answered.active.maxDurationSeconds * 1_000);
            await this.conclusion.concludeMessage(answered);
          },
        }),
      () => (announce ? announce(carrierCallId, message) : line.accept(carrierCallId)),
    );
  }
}
