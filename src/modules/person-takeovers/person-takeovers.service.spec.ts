import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Logger } from '../../common/observability/logger.js';
import type { Transactions } from '../../database/transactions.js';
import { CallFeed } from '../active-calls/monitors/call-feed.js';
import { type CallPerson, callPersonOf } from '../active-calls/person-takeovers/person-takeover.js';
import type { TakeoverRecordsService } from '../active-calls/person-takeovers/takeover-records.service.js';
import type { CallsService } from '../calls/calls.service.js';
import type { CallDeskService } from '../calls/desk/call-desk.service.js';
import type { WebhooksService } from '../webhooks/webhooks.service.js';
import { type HeldCall, PersonTakeoversService } from './person-takeovers.service.js';

const ANA = callPersonOf({ memberId: 5, via: 'session', tokenId: 1 }, 'Ana Souza');
const BRUNO = callPersonOf({ memberId: 6, via: 'session', tokenId: 2 }, 'Bruno Lima');

describe('a person whose call another process takes over', () => {
  const find = jest.fn<() => Promise<CallPerson | null>>();
  const desk = {};
  let feed: CallFeed;
  let call: HeldCall;
  let takeovers: PersonTakeoversService;

  beforeEach(() => {
    jest.useFakeTimers();
    find.mockResolvedValue(ANA);
    feed = new CallFeed();
    call = { userId: 1, lease: { callId: 7, token: '5b2f3a52-6a0c-4a3e-9c37-1f0f6f1c2a7d', feed } };
    takeovers = new PersonTakeoversService(
      { find } as unknown as TakeoverRecordsService,
      {} as CallsService,
      {} as CallDeskService,
      {} as WebhooksService,
      {} as Transactions,
      {} as Logger,
    );
  });

  it('has the call by a connection that is made before the process talks on it, and keeps it', async () => {
    await takeovers.rejoin(call, ANA, desk);
    const earlier = await takeovers.resume(call);
    expect([feed.takeover.isHeldBy(desk), earlier.person()]).toEqual([true, ANA]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(feed.takeover.isHeldBy(desk)).toBe(true);
  });

  it('has it also where both are read from the database at once', async () => {
    const [earlier] = await Promise.all([takeovers.resume(call), takeovers.rejoin(call, ANA, desk)]);
    expect([feed.takeover.isHeldBy(desk), earlier.person()]).toEqual([true, ANA]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('does not get a call that another person has', async () => {
    await takeovers.rejoin(call, BRUNO, desk);
    expect([feed.takeover.isHeldBy(desk), feed.takeover.person]).toEqual([false, null]);
  });

  it('does not get a call on which the assistant talks already', async () => {
    feed.talk = {} as NonNullable<CallFeed['talk']>;
    await takeovers.rejoin(call, ANA, desk);
    expect(feed.takeover.person).toBeNull();
  });
});
