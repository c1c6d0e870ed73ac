import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { until } from '../../../test/support/until.js';
import { Logger } from '../../common/observability/logger.js';
import type { ServerConfig } from '../../config/config.js';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import type { InboundOffer, RejectReason } from '../../providers/telephony/call/incoming-calls.js';
import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import type { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { EventQueue } from '../../providers/telephony/event-queue.js';
import type { SessionFactories } from '../../runtime/call/session-factories.js';
import type { VerificationGuardService } from '../number-verifications/verification-guard.service.js';
import type { AnswerAttemptsService } from './answer-attempts.service.js';
import { InboundCallsService } from './inbound-calls.service.js';
import type { TurnedAwayCallsService } from './turned-away-calls.service.js';
import type { InboundRoutesService } from './inbound-routes.service.js';

const AWAY = new Error('the database is away');

describe('a call that comes in while the database does not answer', () => {
  let offers: EventQueue<InboundOffer>;
  let capabilities: { inbound: boolean; livesInProcess: boolean };
  let asked: number;
  let calls: InboundCallsService;
  const reject = jest.fn<(callId: string, reason: RejectReason) => Promise<void>>();
  const logged = jest.spyOn(Logger.prototype, 'error');

  beforeEach(() => {
    offers = new EventQueue();
    capabilities = { inbound: true, livesInProcess: true };
    asked = 0;
    reject.mockReset().mockResolvedValue(undefined);
    logged.mockReset();
    const carrier = {
      name: 'sip',
      media: { audio: {} },
      capabilities,
      inboundOffers: () => offers,
      reject,
    } as unknown as CallCarrier;
    const find = async () => {
      asked++;
      throw AWAY;
    };
    calls = new InboundCallsService(
      { all: [carrier] } as unknown as CallCarriers,
      { find } as unknown as InboundRoutesService,
      { canCarry: () => true } as unknown as AnswerAttemptsService,
      {} as TurnedAwayCallsService,
      {} as VerificationGuardService,
      { canSpeak: true } as SessionFactories,
      {} as ServerConfig,
      Logger.create('fatal'),
    );
    calls.onApplicationBootstrap();
  });
  afterEach(async () => {
    const closed = calls.onModuleDestroy();
    offers.end();
    await closed;
  });

  const callsIn = (callId: string) =>
    offers.push({ callId, from: '+5511987650000', to: '+551130000001', phoneNumberId: 1 });

  it('is turned away, as by a process that takes no more, and the log has the error', async () => {
    callsIn('a');
    await until(async () => reject.mock.calls.length > 0);
    expect(reject.mock.calls).toEqual([['a', 'full']]);
    expect(logged.mock.calls).toEqual([['inbound call not answered', { carrier: 'sip', err: AWAY }]]);
  });

  it('does not block the next call when it cannot be rejected', async () => {
    const broken = new Error('the line is broken');
    reject.mockRejectedValueOnce(new CallCarrierError('call-over', 'no')).mockRejectedValueOnce(broken);
    for (const callId of ['a', 'b', 'c']) callsIn(callId);
    const failed = () => logged.mock.calls.filter(([message]) => message === 'inbound call not turned away');
    await until(async () => reject.mock.calls.length === 3 && failed().length > 0);
    expect(failed()).toEqual([['inbound call not turned away', { carrier: 'sip', err: broken }]]);
  });

  it('is left to the other processes where they have heard of it as well', async () => {
    capabilities.livesInProcess = false;
    callsIn('a');
    await until(async () => asked === 1 && logged.mock.calls.length === 1);
    expect(reject).not.toHaveBeenCalled();
  });
});
