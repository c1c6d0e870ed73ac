import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import type { InboundOffer } from '../../providers/telephony/call/incoming-calls.js';
import type { CallSessionsService } from '../call-sessions/call-sessions.service.js';
import { NO_ROUTING } from '../inbound-routing/number-routing.js';
import { AnswerAttemptsService } from './answer-attempts.service.js';
import type { ForwardAttemptsService } from './forward-attempts.service.js';
import type { InboundAdmissionService } from './inbound-admission.service.js';
import type { InboundLookupsService, LookedUpCaller } from './inbound-lookups.service.js';
import type { CalledNumber, InboundRoutesService } from './inbound-routes.service.js';
import type { MessageAttemptsService } from './message-attempts.service.js';
import type { QueueAttemptsService } from './queue-attempts.service.js';

const OFFER: InboundOffer = { callId: 'a', from: '+5511987650000', to: '+551130000001' };
const LOOKUP = { status: 'ok', ms: 20, error: null } as const;
const CALLER: LookedUpCaller = {
  callId: 7,
  lookup: LOOKUP,
  decision: null,
  variables: {},
  context: { initialMessage: null, lookupVariables: null },
};
const NUMBER = {
  id: 1,
  userId: 1,
  routing: { ...NO_ROUTING, lookupUrl: 'https://crm.example/who' },
  assistant: {},
} as CalledNumber;

describe('a call whose caller is looked up', () => {
  let hasRoom: boolean;
  /** Whether another process has room. */
  let hasOthers: boolean;
  let found: LookedUpCaller | 'taken';
  let attempts: AnswerAttemptsService;
  const admit = jest.fn<InboundAdmissionService['admit']>();

  beforeEach(() => {
    hasRoom = true;
    hasOthers = false;
    found = CALLER;
    admit.mockReset().mockResolvedValue({ refused: 'account_full' });
    const lookUp = async () => {
      // Other calls take the room in the meantime.
      hasRoom = false;
      return found;
    };
    attempts = new AnswerAttemptsService(
      { lookUp } as unknown as InboundLookupsService,
      { activate: async () => true } as unknown as InboundRoutesService,
      {
        canCarry: () => hasRoom,
        passesOn: async () => hasOthers,
        admit,
      } as unknown as InboundAdmissionService,
      {} as CallSessionsService,
      {} as MessageAttemptsService,
      {} as ForwardAttemptsService,
      { reasonToWait: async () => null } as unknown as QueueAttemptsService,
    );
  });

  const answer = () => attempts.answer({ name: 'sip' } as CallCarrier, OFFER, NUMBER);

  it('is passed on to another process that has room, when this one has run full', async () => {
    hasOthers = true;
    expect(await answer()).toBe('full');
    expect(admit).not.toHaveBeenCalled();
  });

  it('is turned away when no process has room any more, and says what came of the lookup', async () => {
    expect(await answer()).toEqual({
      hears: 'busy',
      reason: 'no_voice',
      routing: { branch: 'unavailable', action: 'busy', reason: 'no_voice', lookup: LOOKUP },
      caller: CALLER,
    });
    expect(admit).not.toHaveBeenCalled();
  });

  it('is left to the process that asks about it', async () => {
    found = 'taken';
    expect(await answer()).toBe('answered');
    expect(admit).not.toHaveBeenCalled();
  });
});
