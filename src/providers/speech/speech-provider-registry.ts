import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { guardedConnector } from '../../common/egress/guarded-connector.js';
import { systemLookup } from '../../common/egress/host-lookup.js';
import { SecurityConfig, SpeechConfig } from '../../config/config.js';
import { AccountKeyCache } from '../account-keys/account-key-cache.js';
import type { KeyCheck } from '../account-keys/key-check.js';
import { KeepAliveFetch } from '../llm/openai/keep-alive-fetch.js';
import {
  type AccountSpeechKey,
  type AccountSpeechKeys,
  SPEECH_KEY_PROVIDERS,
  type SpeechKeyServer,
} from './account-keys/account-speech-keys.js';
import { KeyRevalidator } from './account-keys/key-revalidator.js';
import { SpeechKeyCheck } from './account-keys/speech-key-check.js';
import { AvailableSpeech, type OwnProvider } from './available-speech.js';
import { ProviderHealth } from './fallback/candidates.js';
import { SandboxSpeechProvider } from './sandbox/sandbox-provider.js';
import type { SpeechProvider } from './speech-provider.js';
import { type VendorConnections, vendorsOf, vendorWith } from './vendors.js';

/** In the cache: room for 10,000 accounts without a key, or 1,000 with some. */
const SIZE = { none: 1, some: 10 } as const;

/** What is known of an account that has brought keys. */
interface AccountSpeech {
  readonly keys: readonly AccountSpeechKey[];
  readonly speech: AvailableSpeech;
}

/**
 * Every provider of speech this process could use, and the way to them. Making it loads no speech library, so that a process
 * without calls can ask what is offered.
 *
 * Where no key is set and there is no local model, the sandbox replaces the provider that is asked for.
 */
@Injectable()
export class SpeechProviderRegistry implements OnApplicationShutdown {
  private readonly health = new ProviderHealth();
  private readonly vendors: readonly SpeechProvider[];
  /** To servers that customers have named. */
  private readonly guarded: KeepAliveFetch;
  private readonly open = new KeepAliveFetch();
  private readonly keyCheck: SpeechKeyCheck;
  private readonly revalidator: KeyRevalidator;
  private readonly accounts: AccountKeyCache<AccountSpeech | null>;
  private accountKeys: AccountSpeechKeys | null = null;
  readonly sandbox = new SandboxSpeechProvider();
  /** Of accounts that have brought no key. */
  readonly installation: AvailableSpeech;

  constructor(
    private readonly config: SpeechConfig,
    { egressAllowCidrs: allowCidrs }: SecurityConfig,
  ) {
    this.guarded = new KeepAliveFetch(guardedConnector({ allowCidrs, lookup: systemLookup }));
    this.vendors = vendorsOf(config, this.connections);
    this.installation = new AvailableSpeech(this.vendors, this.sandbox, this.health);
    this.keyCheck = new SpeechKeyCheck(config, this.open, this.guarded);
    this.revalidator = new KeyRevalidator(
      (server) => this.keyCheck.check(server),
      () => this.accountKeys,
    );
    this.accounts = new AccountKeyCache<AccountSpeech | null>({
      read: (userId, before) => this.read(userId, before),
      sizeOf: (known) => (known === null ? SIZE.none : SIZE.some),
    });
  }

  /** To be called at start, by the owner of the accounts' keys. */
  readAccountKeysFrom(keys: AccountSpeechKeys): void {
    this.accountKeys = keys;
  }

  /** To be called when a key of an account was stored or removed: this process follows at once, others in ten seconds. */
  accountKeysChanged(userId: number): void {
    this.accounts.forget(userId);
  }

  /**
   * The recognizers and voices of an account's calls. Ask for it whenever a connection is opened: an open connection
   * continues with the key that it was opened with.
   *
   * @throws the error of the failed look-up, where nothing is known of the account's keys
   */
  async of(userId: number): Promise<AvailableSpeech> {
    const own = this.accountKeys && (await this.accounts.find(userId));
    if (!own) return this.installation;
    for (const key of own.keys) if (key.isRefused) this.revalidator.schedule(key);
    return own.speech;
  }

  /** Asks a provider whether it takes a key. Takes ten seconds at most. */
  checkAccountKey(server: SpeechKeyServer): Promise<KeyCheck> {
    return this.keyCheck.check(server);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.guarded.close(), this.open.close()]);
    await Promise.allSettled([...this.vendors, this.sandbox].map(async (provider) => provider.close?.()));
  }

  private get connections(): VendorConnections {
    return { open: this.open, guardedFetch: this.guarded.fetch };
  }

  private async read(
    userId: number,
    before: AccountSpeech | null | undefined,
  ): Promise<AccountSpeech | null> {
    try {
      const keys = (await this.accountKeys?.findSpeechKeys(userId)) ?? [];
      return keys.length === 0 ? null : { keys, speech: this.speechWith(keys) };
    } catch (error) {
      if (before !== undefined) return before;
      throw error;
    }
  }

  private speechWith(keys: readonly AccountSpeechKey[]): AvailableSpeech {
    const inOrder = SPEECH_KEY_PROVIDERS.flatMap((code) => keys.filter(({ provider }) => provider === code));
    const own = inOrder.map((key): OwnProvider => ({
      provider: vendorWith(key, this.config, this.connections),
      key: { version: key.version, failed: () => this.revalidator.schedule(key) },
      isReadable: key.apiKey !== null,
    }));
    return new AvailableSpeech(this.vendors, this.sandbox, this.health, own);
  }
}
