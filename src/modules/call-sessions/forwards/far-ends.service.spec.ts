import { expect, it } from '@jest/globals';
import { Logger } from '../../../common/observability/logger.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import type { MonitoredCall } from '../monitored-call.js';
import { FarEndsService } from './far-ends.service.js';

it('ends a call that the carrier does not connect with another number', async () => {
  const ends: string[] = [];
  const conclusion = {
    concludeUnassisted: async (_answered: unknown, endedBy: string) => ends.push(endedBy),
    concludeForwardedByCarrier: async () => ends.push('forwarded'),
  };
  const none = null as never;
  const service = new FarEndsService(
    none,
    none,
    none,
    none,
    conclusion as never,
    none,
    Logger.create('fatal'),
  );
  let isRefused = false;
  const answered = {
    call: { answeredAt: new Date(), assistantPhoneNumber: '+551130000000' },
    active: { maxDurationSeconds: 60, phoneNumberId: 1 },
    lease: {
      callId: 1,
      line: {
        capabilities: { speed: 1 },
        forward: async () => {
          if (isRefused) throw new CallCarrierError('rejected', 'no');
        },
      },
    },
    carrierCallId: 'c',
  } as unknown as MonitoredCall;
  await service.connect(answered, '+12025550100');
  isRefused = true;
  await service.connect(answered, '+12025550100');
  expect(ends).toEqual(['forwarded', 'failed']);
});
