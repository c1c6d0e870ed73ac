import { Injectable } from '@nestjs/common';
import type { CallEvent, CarrierCall } from '../../providers/telephony/call/carrier-call.js';
import { type CallAssistant, CallAssistantsService } from '../active-calls/call-assistants.service.js';
import { CallsService } from '../calls/calls.service.js';
import { CallControllerFactory } from './call-controller.factory.js';
import { CallConclusionService } from './ends/call-conclusion.service.js';
import type { AnsweredLine, MonitoredCall } from './monitored-call.js';
import { WaitingCallsService } from './queue/waiting-calls.service.js';

/** Lets assistants talk on calls: from the ringing, when the greeting is rendered, to the end. */
@Injectable()
export class AnsweredCallsService {
  constructor(
    private readonly assistants: CallAssistantsService,
    private readonly controllers: CallControllerFactory,
    private readonly waiting: WaitingCallsService,
    private readonly calls: CallsService,
    private readonly conclusion: CallConclusionService,
  ) {}

  /** Prepares the greeting of a ringing call. */
  async prepare(ringing: MonitoredCall): Promise<void> {
    const assistant = await this.assistants.find(ringing.call);
    if (assistant) this.controllers.prepare(ringing, assistant);
  }

  /**
   * Returns when the call is over, or has been released.
   *
   * @returns whether it has to be looked at anew: its caller does not wait any more
   */
  async run(
    answered: MonitoredCall,
    events: AsyncIterator<CallEvent>,
    state: CarrierCall | null,
  ): Promise<boolean> {
    const { call, active, lease } = answered;
    const isAdopted = call.status === 'in-progress';
    call.status = await this.calls.advance(call, 'in-progress', state?.answeredAt);
    const { queue } = active;
    if (queue) return this.waiting.wait(answered, queue, state?.answeredAt ?? call.answeredAt);
    const assistant = await this.assistants.find(call);
    if (!assistant || state?.transfer === 'connected') lease.feed.gate.use(null);
    if (state?.transfer === 'connected')
      await this.conclusion.concludeTransferred(answered, state, assistant);
    else if (!assistant) await this.conclusion.concludeWithoutAssistant(answered);
    else {
      // An assistant has not spoken yet on a call that was answered to let its caller wait.
      const hasWaited = call.routing?.waitedMs !== undefined;
      const wasInProgress = isAdopted && (!hasWaited || lease.turns.all.length > 0);
      await this.runSession(answered, assistant, { events, state, wasInProgress });
    }
    return false;
  }

  private async runSession(
    answered: MonitoredCall,
    assistant: CallAssistant,
    line: AnsweredLine,
  ): Promise<void> {
    const { controller, notes } = await this.controllers.make(answered, assistant, line);
    const { feed } = answered.lease;
    feed.talk = controller;
    feed.gate.use(controller.notice);
    const result = await controller.run();
    feed.talk = null;
    await this.conclusion.concludeSession(answered, result, notes);
  }
}
