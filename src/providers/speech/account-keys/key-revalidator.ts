import { LRUCache } from 'lru-cache';
import type { KeyCheck } from '../../account-keys/key-check.js';
import type { AccountSpeechKey, AccountSpeechKeys, SpeechKeyServer } from './account-speech-keys.js';

/** One key is asked about once in this time, however many calls fail with it. */
const DOUBT_LASTS_MS = 30_000;
const KEYS_IN_DOUBT = 10_000;

/**
 * Finds out whether a provider has refused an account's key. The libraries of speech often do not say why a
 * connection failed, and a failed call must not make a good key look bad. The provider is therefore asked about the
 * key itself, in the background.
 */
export class KeyRevalidator {
  private readonly asked = new LRUCache<string, true>({ max: KEYS_IN_DOUBT, ttl: DOUBT_LASTS_MS });

  /** @param check asks the provider; never fails */
  constructor(
    private readonly check: (server: SpeechKeyServer) => Promise<KeyCheck>,
    private readonly keys: () => AccountSpeechKeys | null,
  ) {}

  /** Checks a key with which a request failed, or which is used although it was refused. Does not wait for the answer. */
  schedule(key: AccountSpeechKey): void {
    const { provider, version, apiKey, baseUrl, region } = key;
    if (apiKey === null || this.asked.has(version)) return;
    this.asked.set(version, true);
    void this.check({ provider, apiKey, baseUrl, region }).then((result) => {
      if (result === 'refused' && !key.isRefused) this.keys()?.speechKeyTurnedOut(key, 'refused');
      if (result === 'ok' && key.isRefused) this.keys()?.speechKeyTurnedOut(key, 'accepted');
    });
  }
}
