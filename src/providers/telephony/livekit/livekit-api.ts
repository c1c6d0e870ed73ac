import { z } from 'zod';
import { timeoutSignal } from '../../../common/time/timeout-signal.js';
import type { LiveKitConfig } from '../../../config/config.js';
import { accessToken, type Grants } from './access-token.js';

const TOKEN_LIFE_MS = 60_000;
/** What fails before anything was sent. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** https://twitchtv.github.io/twirp/docs/spec_v7.html#error-codes; `meta` of a SIP answer: `TwirpErrorMeta` in livekit/protocol. */
const errorBody = z.object({
  code: z.string(),
  msg: z.string().default(''),
  meta: z.record(z.string(), z.string()).default({}),
});

/** All that a request to the API of a LiveKit server throws. */
export class LiveKitApiError extends Error {
  override readonly name = 'LiveKitApiError';

  /**
   * @param code Twirp's; `unsent` where the server was not reached, `lost` where its answer was
   * @param sipStatus of the answer of a SIP peer, where one is behind the error
   */
  constructor(
    method: string,
    readonly code: string,
    readonly sipStatus: number | null = null,
    options: ErrorOptions = {},
  ) {
    super(`LiveKit: ${method}: ${code}${sipStatus === null ? '' : `, SIP ${sipStatus}`}`, options);
  }
}

/** The API of the LiveKit server that the operator has named: Twirp, in its JSON form. Nothing is repeated. */
export class LiveKitApi {
  constructor(private readonly server: LiveKitConfig) {}

  /**
   * @param service of the package `livekit`, such as `RoomService`
   * @param grants what the request needs
   * @returns the body of the answer
   * @throws LiveKitApiError
   */
  async ask(
    service: string,
    method: string,
    grants: Grants,
    body: object,
    timeoutMs: number,
  ): Promise<unknown> {
    const token = accessToken(this.server, { ...grants, expiresAt: new Date(Date.now() + TOKEN_LIFE_MS) });
    const url = `${this.server.url.replace(/^ws/, 'http')}/twirp/livekit.${service}/${method}`;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        signal: timeoutSignal(timeoutMs),
      });
      const text = await response.text();
      if (response.status !== 200) throw errorOf(method, response.status, text);
      return JSON.parse(text);
    } catch (error) {
      if (error instanceof LiveKitApiError) throw error;
      throw new LiveKitApiError(method, wasSent(error) ? 'lost' : 'unsent', null, { cause: error });
    }
  }
}

function errorOf(method: string, status: number, text: string): LiveKitApiError {
  const cause = new Error(`status ${status}: ${text.slice(0, 200)}`);
  try {
    const { code, meta } = errorBody.parse(JSON.parse(text));
    const sipStatus = Number(meta['sip_status_code'] ?? 0);
    return new LiveKitApiError(method, code, sipStatus > 0 ? sipStatus : null, { cause });
  } catch {
    // A refused token is answered in plain text, and a proxy on the way answers in its own words.
    const code = status === 401 ? 'unauthenticated' : status === 404 ? 'not_found' : 'unknown';
    return new LiveKitApiError(method, code, null, { cause });
  }
}

function wasSent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return !NOT_SENT.has(code);
}
