import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ValidationFailedError } from '../../common/errors/errors.js';
import type {
  AccountSpeechKey,
  AccountSpeechKeys,
  SpeechKeyProvider,
} from '../../providers/speech/account-keys/account-speech-keys.js';
import { SpeechProviderRegistry } from '../../providers/speech/speech-provider-registry.js';
import type { PutSpeechModelKeyRequest } from './dto/speech-model-key.request.js';
import { type KeyTest, toRejection, refuseUnlessPlain, toVendorRejection } from './key-refusal.js';
import { speechProviderOf, speechUseOf } from './key-use.js';
import { type ModelKeyDetails, ModelKeyVault } from './model-key-vault.service.js';
import { UnknownSpeechProviderError } from './model-keys.errors.js';
import { modelKeyText } from './model-keys.texts.js';

/** What may be set of servers of OpenAI's kind alone, by field of the request. */
const OF_OPENAI = ['base_url', 'speech_to_text_model', 'text_to_speech_model'] as const;
/** The same of Azure. */
const OF_AZURE = ['region'] as const;

/** A key for speech, with the provider that it is for. */
export interface SpeechKeyDetails extends ModelKeyDetails {
  readonly provider: SpeechKeyProvider;
}

/** The keys for speech that accounts have brought: what their calls are heard and spoken with. */
@Injectable()
export class SpeechKeysService implements AccountSpeechKeys, OnModuleInit {
  constructor(
    private readonly vault: ModelKeyVault,
    private readonly speech: SpeechProviderRegistry,
  ) {}

  onModuleInit(): void {
    this.speech.readAccountKeysFrom(this);
  }

  async list(userId: number): Promise<SpeechKeyDetails[]> {
    const stored = await this.vault.findForSpeech(userId);
    return stored.flatMap((key) => {
      const provider = speechProviderOf(key.service);
      return provider === null ? [] : [{ ...this.vault.detailsOf(key), provider }];
    });
  }

  /** Null where the account has stored none for the provider. @throws UnknownSpeechProviderError */
  async find(userId: number, named: SpeechKeyProvider | null): Promise<SpeechKeyDetails | null> {
    const provider = known(named);
    const stored = await this.vault.find(userId, speechUseOf(provider));
    return stored && { ...this.vault.detailsOf(stored), provider };
  }

  /**
   * Stores a key that the provider takes, in place of the one before. Calls that this process begins follow at once.
   *
   * @throws UnknownSpeechProviderError
   * @throws ValidationFailedError when the provider refuses it, cannot be asked, or may not be; then nothing is changed
   */
  async put(
    userId: number,
    named: SpeechKeyProvider | null,
    request: PutSpeechModelKeyRequest,
  ): Promise<SpeechKeyDetails> {
    const provider = known(named);
    if (provider !== 'openai') refuse(OF_OPENAI, request, 'model_keys.of_openai');
    if (provider !== 'azure') refuse(OF_AZURE, request, 'model_keys.of_azure');
    const service = speechUseOf(provider);
    const stored = await this.vault.find(userId, service);
    const {
      base_url: baseUrl = stored?.baseUrl ?? null,
      region = stored?.region ?? null,
      speech_to_text_model: recognizerModel = stored?.recognizerModel ?? null,
      text_to_speech_model: synthesizerModel = stored?.synthesizerModel ?? null,
    } = request;
    refuseUnlessPlain(baseUrl);
    if (provider === 'azure' && region === null)
      throw ValidationFailedError.of('region', 'validation.required');
    const apiKey = this.vault.keyFor(baseUrl, request.api_key, stored);
    const check = await this.speech.checkAccountKey({ provider, apiKey, baseUrl, region });
    if (check !== 'ok') throw baseUrl === null ? toVendorRejection(check) : toRejection(check);
    const details = await this.vault.put(apiKey, {
      userId,
      service,
      baseUrl,
      region,
      model: null,
      recognizerModel,
      synthesizerModel,
    });
    this.speech.accountKeysChanged(userId);
    return { ...details, provider };
  }

  /** @throws UnknownSpeechProviderError, ModelKeyNotFoundError */
  async delete(userId: number, named: SpeechKeyProvider | null): Promise<void> {
    await this.vault.delete(userId, speechUseOf(known(named)));
    this.speech.accountKeysChanged(userId);
  }

  /**
   * Asks the provider whether it takes the stored key, and remembers what it says.
   *
   * @throws UnknownSpeechProviderError, ModelKeyNotFoundError
   */
  async test(userId: number, named: SpeechKeyProvider | null): Promise<KeyTest> {
    const provider = known(named);
    const stored = await this.vault.get(userId, speechUseOf(provider));
    const apiKey = this.vault.opened(stored);
    if (apiKey === null) return 'unreadable';
    const { baseUrl, region } = stored;
    const check = await this.speech.checkAccountKey({ provider, apiKey, baseUrl, region });
    if (check === 'ok' || check === 'refused') await this.vault.tested(stored, check === 'ok');
    this.speech.accountKeysChanged(userId);
    return check;
  }

  /** See AccountSpeechKeys. */
  async findSpeechKeys(userId: number): Promise<AccountSpeechKey[]> {
    const stored = await this.vault.findForSpeech(userId);
    return stored.flatMap((key): AccountSpeechKey[] => {
      const provider = speechProviderOf(key.service);
      if (provider === null) return [];
      const { version, baseUrl, region, recognizerModel, synthesizerModel } = key;
      const isRefused = key.refusedAt !== null;
      const apiKey = this.vault.opened(key);
      const models = { recognizerModel, synthesizerModel };
      return [{ userId, provider, version, baseUrl, region, apiKey, ...models, isRefused }];
    });
  }

  /** See AccountSpeechKeys. */
  speechKeyTurnedOut(
    { userId, provider, version }: Pick<AccountSpeechKey, 'userId' | 'provider' | 'version'>,
    how: 'refused' | 'accepted',
  ): void {
    this.vault.turnedOut({ userId, service: speechUseOf(provider), version }, how);
  }
}

function known(provider: SpeechKeyProvider | null): SpeechKeyProvider {
  if (provider === null) throw new UnknownSpeechProviderError();
  return provider;
}

/** Of any other provider the address is its own: what its library connects with cannot be kept from inner addresses. */
function refuse(
  fields: readonly (keyof PutSpeechModelKeyRequest)[],
  request: PutSpeechModelKeyRequest,
  key: 'model_keys.of_openai' | 'model_keys.of_azure',
): void {
  const sent = fields.find((field) => (request[field] ?? null) !== null);
  if (sent) throw ValidationFailedError.of(sent, modelKeyText(key));
}
