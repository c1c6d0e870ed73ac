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
  let told: [version: string, how: string][];
  let result: KeyCheck;
  let revalidator: KeyRevalidator;

  beforeEach(() => {
    [asked, told, result] = [[], [], 'ok'];
    revalidator = new KeyRevalidator(
      async ({ apiKey }) => {
        asked.push(apiKey);
        return result;
      },
      () => ({
        findSpeechKeys: async () => [],
        speechKeyTurnedOut: ({ version }, how) => void told.push([version, how]),
      }),
    );
  });

  const doubt = async (key: AccountSpeechKey) => {
    revalidator.schedule(key);
    await new Promise((resolve) => setImmediate(resolve));
  };

  it('is asked about once, however many calls fail with it, and told of where it is refused', async () => {
    result = 'refused';
    for (let times = 0; times < 3; times++) await doubt(KEY);
    expect([asked, told]).toEqual([['key of a'], [['a', 'refused']]]);
    await doubt({ ...KEY, version: 'b', apiKey: 'key of b' });
    expect(asked).toEqual(['key of a', 'key of b']);
  });

  it.each<KeyCheck>(['ok', 'unreachable', 'forbidden', 'incompatible'])(
    'is not told of where the provider says nothing against it (%s)',
    async (said) => {
      result = said;
      await doubt(KEY);
      expect(told).toEqual([]);
    },
  );

  it('is told of as good where it was refused before, and the provider takes it', async () => {
    await doubt({ ...KEY, isRefused: true });
    result = 'refused';
    await doubt({ ...KEY, version: 'b', isRefused: true });
    expect(told).toEqual([['a', 'accepted']]);
  });

  it('is not asked about where it cannot be opened', async () => {
    await doubt({ ...KEY, apiKey: null });
    expect(asked).toEqual([]);
  });
});
