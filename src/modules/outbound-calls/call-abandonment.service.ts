import { Injectable } from '@nestjs/common';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { ActiveCallsService } from '../active-calls/active-calls.service.js';
import { EndRequestsService } from '../active-calls/ends/end-requests.service.js';
import type { RunningCall } from '../active-calls/running-call.js';
import { CallAdoptionService } from '../call-sessions/call-adoption.service.js';
import { CallDiallingService } from './dialling/call-dialling.service.js';
import { CarrierLookupService } from './dialling/carrier-lookup.service.js';
import { UnplacedCallsService } from './dialling/unplaced-calls.service.js';

/** Ends calls that were requested to end and that no process monitors. */
@Injectable()
export class CallAbandonmentService {
  constructor(
    private readonly activeCalls: ActiveCallsService,
    private readonly carriers: CallCarriers,
    private readonly endRequests: EndRequestsService,
    private readonly adoption: CallAdoptionService,
    private readonly lookup: CarrierLookupService,
    private readonly dialling: CallDiallingService,
    private readonly unplaced: UnplacedCallsService,
  ) {}

  /** Fails a call that was not sent; ends a call that the carrier has. To be called until the call has ended. */
  async abandon(callId: number): Promise<void> {
    const found = await this.activeCalls.find(callId);
    switch (found?.active.stage) {
      case 'waiting':
        if (await this.activeCalls.beginPlacing(found.call)) await this.unplaced.fail(found, 'not-sent');
        return;
      case 'placing': {
        const knowledge = await this.lookup.ask(found);
        if (knowledge === 'never-sent') await this.unplaced.fail(found, 'not-sent');
        else await this.dialling.settle(found, knowledge);
        return;
      }
      case 'open':
        await this.endOpen(found);
        return this.adoption.adopt(callId);
      case 'evaluating':
      case undefined:
        return;
    }
  }

  /** Ends a web call to which no browser has connected in time, as one that was not answered. */
  async expire(callId: number): Promise<void> {
    const found = await this.activeCalls.find(callId);
    if (found?.active.stage !== 'waiting' || found.active.lineUntil === null) return;
    if (await this.activeCalls.beginPlacing(found.call)) await this.unplaced.expire(found);
  }

  private async endOpen({ active }: RunningCall): Promise<void> {
    const { callId, userId, carrierCallId } = active;
    const carrier = this.carriers.named(active.carrier);
    // The process that has such a line hangs it up when it finds the request.
    if (carrier.capabilities.livesInProcess) await this.endRequests.request(userId, callId);
    else if (carrierCallId !== null) await carrier.hangUp(carrierCallId);
  }
}
