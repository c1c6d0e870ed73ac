import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request, type RequestOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { InternalToken } from '../../common/crypto/internal-token.js';
import type { VoiceProcessAddress } from './voice-processes.service.js';
import { pathOfSample, type SampleRequest } from './voice-sample-request.js';

/** Longer than a carrier may take for one call. */
const SEND_TIMEOUT_MS = 25_000;
/** For how many milliseconds the call may still be dialled. A header, since processes of the last release take no more in the path. */
export const DIAL_WITHIN_HEADER = 'x-prosa-dial-within-ms';
const CONNECT_TIMEOUT_MS = 5_000;
const ASK_TIMEOUT_MS = 2_000;
/** A process may first have to decide whether to take a call. */
const HAND_ON_TIMEOUT_MS = 13_000;
/** A provider that fails is replaced within this time, which then is the answer. */
const SAMPLE_TIMEOUT_MS = 20_000;
const MAX_ANSWER_BYTES = 4_096;
/** No process listens there: the request had no effect. */
const NOT_THERE = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);

const sent = z.object({ result: z.enum(['sent', 'not-sent', 'undelivered', 'unknown']) });

/** No process listens at the address of a voice process. */
export class VoiceProcessGoneError extends Error {
  override readonly name = 'VoiceProcessGoneError';
}

/** What a voice process answered to an upgrade. */
export type UpgradeAnswer =
  | {
      readonly status: 101;
      readonly response: IncomingMessage;
      readonly socket: Duplex;
      readonly head: Buffer;
    }
  | { readonly status: number };

/** Asks other processes of the installation that carry sound. */
@Injectable()
export class VoiceClientService {
  constructor(private readonly token: InternalToken) {}

  /**
   * Has a process place a call that was given to it.
   *
   * @param dialBeforeMs as CallPlacementService.send
   * @returns as CallPlacementService.send; `unknown` as well where the answer did not come
   * @throws VoiceProcessGoneError
   */
  async send(process: VoiceProcessAddress, callId: number, dialBeforeMs: number) {
    const withinMs = Math.max(0, Math.floor(dialBeforeMs - performance.now()));
    const path = `/calls/${callId}/send?may_dial=${withinMs > 0}`;
    const headers = { [DIAL_WITHIN_HEADER]: String(withinMs) };
    const asked = this.request(process, { method: 'POST', path, timeout: SEND_TIMEOUT_MS }, headers);
    try {
      const answer = await bodyOf(asked);
      return sent.parse(JSON.parse(answer)).result;
    } catch (error) {
      if (isNotThere(error)) throw asGone(error);
      return 'unknown' as const;
    }
  }

  /**
   * Whether a process has ended: no process listens at its address, or another one does. One that does not answer may
   * still have its calls.
   */
  async isGone(process: VoiceProcessAddress): Promise<boolean> {
    try {
      return (await bodyOf(this.request(process, { path: '/id', timeout: ASK_TIMEOUT_MS }))) !== process.id;
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
    }
  }

  /** Whether a process answers at its address. */
  async isThere(process: VoiceProcessAddress): Promise<boolean> {
    const asked = bodyOf(this.request(process, { path: '/id', timeout: ASK_TIMEOUT_MS }));
    return (await asked.catch(() => null)) === process.id;
  }

  /**
   * Hands a request on that came from elsewhere and was proven.
   *
   * @param body a form
   * @throws VoiceProcessGoneError | Error when no answer comes
   */
  async handOn(
    process: VoiceProcessAddress,
    path: string,
    body: string,
  ): Promise<{ readonly status: number; readonly body: string }> {
    const asked = this.request(process, { method: 'POST', path, timeout: HAND_ON_TIMEOUT_MS });
    return answerOf(asked, body).catch((error: unknown) => {
      throw asGone(error);
    });
  }

  /**
   * Has a process speak a sentence with a voice.
   *
   * @returns a WAV file; null where the process could not speak with this voice
   * @throws VoiceProcessGoneError | Error when no answer comes
   */
  async sample(process: VoiceProcessAddress, sample: SampleRequest): Promise<Buffer | null> {
    const asked = this.request(process, { path: pathOfSample(sample), timeout: SAMPLE_TIMEOUT_MS });
    asked.end();
    try {
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      const body = await buffer(response);
      return response.statusCode === 200 ? body : null;
    } catch (error) {
      throw asGone(error);
    }
  }

  /**
   * Hands the upgrade of a browser on.
   *
   * @param headers those of the WebSocket
   * @throws VoiceProcessGoneError | Error when no answer comes
   */
  upgrade(
    process: VoiceProcessAddress,
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<UpgradeAnswer> {
    const asked = this.request(process, { path, timeout: CONNECT_TIMEOUT_MS }, headers);
    return new Promise((resolve, reject) => {
      asked.on('upgrade', (response: IncomingMessage, socket: Duplex, head: Buffer) =>
        resolve({ status: 101, response, socket, head }),
      );
      asked.on('response', (response: IncomingMessage) => {
        response.resume();
        resolve({ status: response.statusCode ?? 502 });
      });
      asked.on('error', (error) => reject(asGone(error)));
      asked.end();
    });
  }

  private request(
    { address }: VoiceProcessAddress,
    options: Pick<RequestOptions, 'method' | 'path' | 'timeout'>,
    headers: Readonly<Record<string, string>> = {},
  ): ClientRequest {
    const asked = request(`http://${address}${options.path}`, {
      ...options,
      headers: { ...headers, Authorization: `Bearer ${this.token.own}` },
      agent: false,
    });
    asked.on('timeout', () => asked.destroy(new Error('a voice process did not answer in time')));
    return asked;
  }
}

async function bodyOf(asked: ClientRequest): Promise<string> {
  const { status, body } = await answerOf(asked);
  if (status !== 200) throw new Error(`answered ${status}`);
  return body;
}

function answerOf(
  asked: ClientRequest,
  sentBody?: string,
): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    asked.on('error', reject);
    asked.on('response', (response: IncomingMessage) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        body += part;
        if (body.length > MAX_ANSWER_BYTES) asked.destroy(new Error('the answer is too long'));
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 502, body }));
      response.on('error', reject);
    });
    asked.end(sentBody);
  });
}

/** A VoiceProcessGoneError where no process listens, else the error itself. */
function asGone(error: unknown): unknown {
  return isNotThere(error) ? new VoiceProcessGoneError('no voice process listens', { cause: error }) : error;
}

function isNotThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NOT_THERE.has(String(error.code));
}
