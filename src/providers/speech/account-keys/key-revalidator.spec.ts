import { beforeEach, describe, expect, it } from '@jest/globals';
import type { KeyCheck } from '../../account-keys/key-check.js';
import type { AccountSpeechKey } from './account-speech-keys.js';
import { KeyRevalidator } from './key-revalidator.js';

const KEY: AccountSpeechKey = {
  userId: 1,
  provider: 'deepgram',
  version: 'a',
  apiKey: 'key of a',
  baseUrl: null,
  region: null,
  recognizerModel: null,
  synthesizerModel: null,
  isRefused: false,
};

describe('a key of an account with which something has failed', () => {
  let asked: string[];
  let reported: [version: string, how: string][];
  let result: KeyCheck;
  let revalidator: KeyRevalidator;

  beforeEach(() => {
    [asked, reported, result] = [[], [], 'ok'];
    revalidator = new KeyRevalidator(
      async ({ apiKey }) => {
        asked.push(apiKey);
        return result;
      },
      () => ({
        findSpeechKeys: async () => [],
        speechKeyTurnedOut: ({ version }, how) => void reported.push([version, how]),
      }),
    );
  });

  const doubt = async (key: AccountSpeechKey) => {
    revalidator.schedule(key);
    await new Promise((resolve) => setImmediate(resolve));
  };

  it('is checked once for any number of failed calls, and reported when it is refused', async () => {
    result = 'refused';
    for (let times = 0; times < 3; times++) await doubt(KEY);
    expect([asked, reported]).toEqual([['key of a'], [['a', 'refused']]]);
    await doubt({ ...KEY, version: 'b', apiKey: 'key of b' });
    expect(asked).toEqual(['key of a', 'key of b']);
  });

  it.each<KeyCheck>(['ok', 'unreachable', 'forbidden', 'incompatible'])(
    'is not reported when the provider does not refuse it (%s)',
    async (said) => {
      result = said;
      await doubt(KEY);
      expect(reported).toEqual([]);
    },
  );

  it('is reported as accepted when it was refused before and the provider accepts it', async () => {
    await doubt({ ...KEY, isRefused: true });
    result = 'refused';
    await doubt({ ...KEY, version: 'b', isRefused: true });
    expect(reported).toEqual([['a', 'accepted']]);
  });

  it('is not asked about where it cannot be opened', async () => {
    await doubt({ ...KEY, apiKey: null });
    expect(asked).toEqual([]);
  });
});
