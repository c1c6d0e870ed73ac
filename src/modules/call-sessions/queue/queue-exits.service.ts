import { Injectable } from '@nestjs/common';
import type { CallRouting } from '../../../common/phone/call-routing.js';
import { Transactions } from '../../../database/transactions.js';
import { CallsConfig } from '../../../config/config.js';
import { CallAssistantsService } from '../../active-calls/call-assistants.service.js';
import { UnassistedCallsService } from '../../active-calls/capacity/unassisted-calls.service.js';
import { QueuedCallsService } from '../../active-calls/queue/queued-calls.service.js';
import { CallsService } from '../../calls/calls.service.js';
import { IncomingEventsService } from '../../inbound-events/incoming-events.service.js';
import type { MonitoredCall } from '../monitored-call.js';

/** How a call is routed whose caller has waited. */
export type WaitedRouting = CallRouting & { readonly waitedMs: number };

/** Records how callers leave the queue. */
@Injectable()
export class QueueExitsService {
  constructor(
    private readonly queued: QueuedCallsService,
    private readonly unassisted: UnassistedCallsService,
    private readonly assistants: CallAssistantsService,
    private readonly calls: CallsService,
    private readonly events: IncomingEventsService,
    private readonly transactions: Transactions,
    private readonly config: CallsConfig,
  ) {}

  /**
   * An assistant talks to the caller from here on, with a line of its own. False while no line is free.
   *
   * @throws NoAssistantError where that one does not answer any more
   * @throws InsufficientBalanceError | DailySpendCapError | CallLostError
   */
  async serve(waiting: MonitoredCall, assistantId: number, routing: WaitedRouting): Promise<boolean> {
    const { id, userId } = waiting.call;
    const assistant = await this.assistants.findRuntime({ userId, assistantId });
    if (assistant?.status !== 'active') throw new NoAssistantError();
    const { name: assistantName, config } = assistant;
    const answerer = { assistantId, assistantName, recordingEnabled: config.record, routing };
    const waitedSeconds = Math.round(routing.waitedMs / 1_000);
    return this.transactions.runWithVerifiedCommit(async (tx) => {
      const isServed = await this.queued.serve(waiting, assistant, waitedSeconds, tx);
      if (isServed) await this.calls.setAnswerer(userId, id, answerer, tx);
      return isServed;
    });
  }

  /** The caller leaves without an assistant; what may follow is paid. Returns the call as it is then. @throws CallLostError */
  async leave(waiting: MonitoredCall, routing: WaitedRouting): Promise<MonitoredCall> {
    const { call, active } = waiting;
    const terms = await this.transactions.run(async (tx) => {
      const left = await this.queued.leave(waiting, active.maxDurationSeconds, tx);
      await this.calls.setAnswerer(call.userId, call.id, { routing }, tx);
      return left;
    });
    return { ...waiting, call: { ...call, routing }, active: Object.assign(active, terms) };
  }

  /**
   * The caller is to be connected with another number. Returns as {@link leave} does.
   *
   * @throws ParallelCallsLimitError | InsufficientBalanceError | DailySpendCapError | CallLostError
   */
  async forward(waiting: MonitoredCall, routing: WaitedRouting): Promise<MonitoredCall> {
    const { call, active } = waiting;
    const forwarded = { ...call, routing };
    const terms = await this.transactions.run(async (tx) => {
      await this.unassisted.lockForwards(call.userId, tx);
      const waitedSeconds = Math.ceil(routing.waitedMs / 1_000);
      const left = await this.queued.leave(waiting, waitedSeconds + this.config.forwardMaxSeconds, tx);
      await this.calls.setAnswerer(call.userId, call.id, { routing }, tx);
      await this.events.publishForwarded(forwarded, tx);
      return left;
    });
    this.events.wake();
    return { ...waiting, call: forwarded, active: Object.assign(active, terms) };
  }
}

/** The assistant that a caller waits for does not answer any more. */
export class NoAssistantError extends Error {
  constructor() {
    super('The assistant does not answer any more');
  }
}
