import { timeoutSignal } from '../../../common/time/timeout-signal.js';
import type { SpeechConfig } from '../../../config/config.js';
import { isForbiddenAddress, type KeyCheck } from '../../account-keys/key-check.js';
import type { KeepAliveFetch } from '../../llm/openai/keep-alive-fetch.js';
import { voicesUrl } from '../azure/azure-addresses.js';
import { CARTESIA_URL, cartesiaHeaders } from '../cartesia/cartesia-api.js';
import { OPENAI_URL } from '../openai/openai-server.js';
import type { SpeechKeyProvider, SpeechKeyServer } from './account-speech-keys.js';

const CHECK_MS = 10_000;

/** What a provider has said to the question. */
interface Answer {
  readonly status: number;
  /** Undefined where it is no JSON. */
  readonly body: unknown;
}

/** A request that costs nothing and changes nothing, and whose answer shows whether a key is valid. */
interface Question {
  /** @param address where the provider is reached; left out: in public */
  readonly url: (address: string | undefined, region: string | null) => string;
  readonly headers: (apiKey: string) => Readonly<Record<string, string>>;
  /** What the answer means, where its status does not say it; null: it does. */
  readonly verdict: (answer: Answer) => KeyCheck | null;
}

const bearer = (apiKey: string) => ({ Authorization: `Bearer ${apiKey}` });
const at =
  (path: string, home: string) =>
  (address: string = home) =>
    new URL(path, address).href;

/** Statuses that say something of the key, or that another try may be answered better. */
const TELLING = new Set([401, 403, 408, 429]);

/**
 * - Deepgram: https://developers.deepgram.com/docs/authenticating ("Test Request")
 * - ElevenLabs: https://elevenlabs.io/docs/api-reference/authentication. A key may be restricted to some endpoints, and is
 *   refused by the others with 401 as an unknown one is, but with `missing_permissions`:
 *   https://help.elevenlabs.io/hc/en-us/articles/19572237925521
 * - Google: https://ai.google.dev/api/models#method:-models.list. An unknown key is answered with 400 and `API_KEY_INVALID`.
 * - OpenAI: https://platform.openai.com/docs/api-reference/models/list
 * - Azure: https://learn.microsoft.com/azure/ai-services/speech-service/rest-text-to-speech#get-a-list-of-voices. A key of another
 *   region is refused with 401 like an unknown one.
 * - Cartesia: https://docs.cartesia.ai/api-reference/voices/list
 * - xAI: https://docs.x.ai/docs/api-reference (`GET /v1/api-key`). An unknown key is answered with 400, one that is switched
 *   off with 200 and a flag.
 */
const QUESTIONS: Readonly<Record<SpeechKeyProvider, Question>> = {
  deepgram: {
    url: at('/v1/auth/token', 'https://api.deepgram.com'),
    headers: (apiKey) => ({ Authorization: `Token ${apiKey}` }),
    verdict: () => null,
  },
  elevenlabs: {
    url: at('/v1/models', 'https://api.elevenlabs.io'),
    headers: (apiKey) => ({ 'xi-api-key': apiKey }),
    verdict: ({ status, body }) =>
      status === 401 && fieldOf(fieldOf(body, 'detail'), 'status') === 'missing_permissions' ? 'ok' : null,
  },
  openai: {
    url: (address = OPENAI_URL) => `${address.replace(/\/+$/, '')}/models`,
    headers: bearer,
    verdict: ({ status, body }) => {
      if (status === 200 && Array.isArray(fieldOf(body, 'data'))) return 'ok';
      return TELLING.has(status) || status >= 500 ? null : 'incompatible';
    },
  },
  google: {
    url: at('/v1beta/models?pageSize=1', 'https://generativelanguage.googleapis.com'),
    headers: (apiKey) => ({ 'x-goog-api-key': apiKey }),
    verdict: ({ status, body }) =>
      status === 400 && JSON.stringify(body ?? null).includes('"API_KEY_INVALID"') ? 'refused' : null,
  },
  azure: {
    url: (address, region) =>
      voicesUrl({ region: region ?? undefined, baseUrl: address?.replace(/\/+$/, '') }),
    headers: (apiKey) => ({ 'Ocp-Apim-Subscription-Key': apiKey }),
    verdict: () => null,
  },
  cartesia: {
    url: at('/voices?limit=1', CARTESIA_URL),
    headers: cartesiaHeaders,
    verdict: () => null,
  },
  xai: {
    url: at('/v1/api-key', 'https://api.x.ai'),
    headers: bearer,
    verdict: ({ status, body }) => {
      const isOff = ['api_key_blocked', 'api_key_disabled', 'team_blocked'].some(
        (flag) => fieldOf(body, flag) === true,
      );
      return status === 400 || (status === 200 && isOff) ? 'refused' : null;
    },
  },
};

/** Asks providers whether they take a key. */
export class SpeechKeyCheck {
  /**
   * @param config where the operator reaches the providers
   * @param open to addresses that only the operator has chosen
   * @param guarded to servers that customers have named
   */
  constructor(
    private readonly config: SpeechConfig,
    private readonly open: KeepAliveFetch,
    private readonly guarded: KeepAliveFetch,
  ) {}

  /** Takes ten seconds at most. Of the provider's words nothing is passed on: they may repeat the key. */
  async check({ provider, apiKey, baseUrl, region }: SpeechKeyServer): Promise<KeyCheck> {
    const { url, headers, verdict } = QUESTIONS[provider];
    const connections = baseUrl === null ? this.open : this.guarded;
    const address = baseUrl ?? addressOf(provider, this.config);
    try {
      const { statusCode: status, body } = await connections.get(
        url(address, region),
        headers(apiKey),
        timeoutSignal(CHECK_MS),
      );
      const answer = { status, body: parsed(await body.text()) };
      return verdict(answer) ?? verdictOf(status);
    } catch (error) {
      return isForbiddenAddress(error) ? 'forbidden' : 'unreachable';
    }
  }
}

/**
 * Where the installation reaches a provider, e.g. in a region, it is reached with an account's key as well. OpenAI is not: the
 * installation may have another server of its kind in its place, for which the key is not meant.
 */
export function addressOf(provider: SpeechKeyProvider, config: SpeechConfig): string | undefined {
  return provider === 'openai' ? undefined : config[provider].baseUrl;
}

function verdictOf(status: number): KeyCheck {
  if (status >= 200 && status < 300) return 'ok';
  return status === 401 || status === 403 ? 'refused' : 'unreachable';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null
    ? (body as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
