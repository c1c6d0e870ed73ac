import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { hashToken } from '../../common/auth/opaque-token.js';
import type { Principal } from '../../common/auth/principal.js';
import { RecentKeys } from './recent-keys.js';

const caller: Principal = { userId: 1, via: 'api-key', tokenId: 2 };
const hash = hashToken('prosa_one');

describe('recent keys', () => {
  let keys: RecentKeys;
  let lookUp: jest.Mock<() => Promise<Principal | null>>;

  beforeEach(() => {
    jest.useFakeTimers();
    keys = new RecentKeys();
    lookUp = jest.fn(() => Promise.resolve<Principal | null>(caller));
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('are looked up once in the lifetime, each by its own hash', async () => {
    expect(await keys.get(hash, lookUp)).toBe(caller);
    expect(await keys.get(hash, lookUp)).toBe(caller);
    expect(lookUp).toHaveBeenCalledTimes(1);
    const unknown = () => Promise.resolve(null);
    expect(await keys.get(hashToken('prosa_two'), unknown)).toBeNull();
  });

  it('are asked for again in less than a second, counted from before the look-up', async () => {
    lookUp.mockImplementation(async () => {
      jest.advanceTimersByTime(500);
      return caller;
    });
    await keys.get(hash, lookUp);
    jest.advanceTimersByTime(399);
    await keys.get(hash, lookUp);
    expect(lookUp).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(2);
    await keys.get(hash, lookUp);
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it('are not remembered when they are unknown', async () => {
    lookUp.mockResolvedValueOnce(null);
    expect(await keys.get(hash, lookUp)).toBeNull();
    expect(await keys.get(hash, lookUp)).toBe(caller);
  });

  it('are forgotten at once by a deletion, even one that overtakes a look-up', async () => {
    await keys.get(hash, lookUp);
    keys.forgetAll();
    await keys.get(hash, lookUp);
    expect(lookUp).toHaveBeenCalledTimes(2);

    const other = hashToken('prosa_two');
    await keys.get(other, () => {
      keys.forgetAll();
      return Promise.resolve(caller);
    });
    lookUp.mockResolvedValue(null);
    expect(await keys.get(other, lookUp)).toBeNull();
  });
});
