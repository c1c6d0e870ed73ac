import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AwsCredentials } from './aws-credentials.js';
import { RoleCredentials } from './role-credentials.js';

const MINUTE_MS = 60_000;

describe('the credentials of a role', () => {
  let nowMs: number;
  let fetches: number;
  let isAway: boolean;
  let gate: Promise<void>;
  let credentials: RoleCredentials;

  beforeEach(() => {
    [nowMs, fetches, isAway, gate] = [0, 0, false, Promise.resolve()];
    const fetch = async (): Promise<AwsCredentials> => {
      const number = ++fetches;
      await gate;
      if (isAway) throw new Error('the service answered 503');
      return {
        accessKeyId: `key-${number}`,
        secretAccessKey: 'secret',
        sessionToken: 'token',
        expiresAtMs: nowMs + 60 * MINUTE_MS,
      };
    };
    credentials = new RoleCredentials({ name: 'the role', fetch }, () => nowMs);
  });

  const keyId = async () => (await credentials.get()).accessKeyId;
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('are fetched once for all who need them at the same time, and kept', async () => {
    expect(await Promise.all([keyId(), keyId(), keyId()])).toEqual(['key-1', 'key-1', 'key-1']);
    nowMs = 54 * MINUTE_MS;
    expect(await keyId()).toBe('key-1');
    expect(fetches).toBe(1);
  });

  it('are fetched again before they expire, while the old ones still sign', async () => {
    await keyId();
    nowMs = 56 * MINUTE_MS;
    let open = () => {};
    gate = new Promise((resolve) => (open = resolve));
    expect([await keyId(), await keyId()]).toEqual(['key-1', 'key-1']);
    expect(fetches).toBe(2);
    open();
    await settled();
    expect(await keyId()).toBe('key-2');
  });

  it('sign until they expire while the service is away, which is asked twice a minute', async () => {
    await keyId();
    isAway = true;
    for (nowMs = 56 * MINUTE_MS; nowMs < 60 * MINUTE_MS; nowMs += 1_000) {
      expect(await keyId()).toBe('key-1');
      await settled();
    }
    expect(fetches).toBeLessThanOrEqual(1 + 8);
    await expect(keyId()).rejects.toThrow(
      'the role gave no credentials (the service answered 503): give the role, or set S3_ACCESS_KEY_ID',
    );
    isAway = false;
    expect(await keyId()).toMatch(/^key-/);
  });

  it('are fetched at once when they were refused', async () => {
    await keyId();
    credentials.forget();
    expect(await keyId()).toBe('key-2');
  });
});
