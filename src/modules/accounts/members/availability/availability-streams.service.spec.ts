import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Response } from 'express';
import type { Principal } from '#src/common/auth/principal.js';
import { Logger } from '#src/common/observability/logger.js';
import type { AccountPerson, AvailabilityRepository } from './availability.repository.js';
import { AvailabilityStreamsService } from './availability-streams.service.js';

const OWNER = { userId: 1, memberId: null };
const BIA = { userId: 1, memberId: 7 };

describe('availability and event streams', () => {
  const renewed: (readonly AccountPerson[])[] = [];
  let isFailing = false;
  let streams: AvailabilityStreamsService;

  beforeEach(() => {
    jest.useFakeTimers();
    renewed.length = 0;
    isFailing = false;
    const repository = {
      renew: async (people: readonly AccountPerson[]) => {
        renewed.push(people);
        if (isFailing) throw new Error('the database is away');
      },
    } as unknown as AvailabilityRepository;
    streams = new AvailabilityStreamsService(repository, Logger.create('silent'));
  });
  afterEach(() => {
    streams.onApplicationShutdown();
    jest.useRealTimers();
  });

  function open({ userId, memberId }: AccountPerson, via: Principal['via'] = 'session'): PassThrough {
    const response = new PassThrough();
    const caller = { userId, via, tokenId: 1, ...(memberId === null ? {} : { memberId }) };
    streams.watch(caller, response as unknown as Response);
    return response;
  }

  it('is renewed when a stream opens, and then for all people at once, each of them once', async () => {
    open(OWNER);
    open(BIA);
    open(BIA);
    expect(renewed).toEqual([[OWNER], [BIA], [BIA]]);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(renewed.slice(3)).toEqual([[OWNER, BIA]]);
  });

  it('is not renewed after the last stream of a person has ended', async () => {
    open(OWNER);
    const [first, second] = [open(BIA), open(BIA)];
    first.destroy();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(renewed.at(-1)).toEqual([OWNER, BIA]);
    second.destroy();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(renewed.at(-1)).toEqual([OWNER]);
  });

  it('is not renewed by the stream of an API key', async () => {
    open(OWNER, 'api-key');
    await jest.advanceTimersByTimeAsync(20_000);
    expect(renewed).toEqual([]);
  });

  it('is renewed again after the database was away', async () => {
    isFailing = true;
    open(BIA);
    await jest.advanceTimersByTimeAsync(10_000);
    isFailing = false;
    await jest.advanceTimersByTimeAsync(10_000);
    expect(renewed).toEqual([[BIA], [BIA], [BIA]]);
  });
});
