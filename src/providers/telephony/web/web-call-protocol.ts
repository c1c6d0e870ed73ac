import { z } from 'zod';
import { hasVisibleText } from '../../../common/text/visible-text.js';
import type { AssistantState } from '../call/call-line.js';

/** What a browser and a voice process say to each other over the WebSocket of a web call, besides sound. */

export const WEB_CALL_SAMPLE_RATE_HZ = 24_000;

/** Codes in the close frame of the WebSocket. */
export const CLOSE = {
  over: 1000,
  badFrame: 4400,
  unauthorized: 4401,
  nothingCame: 4408,
  replaced: 4409,
  tooMuch: 4429,
} as const;

/** A message of text is small; one of sound is 100 ms at most. */
export const MAX_TEXT_BYTES = 8 * 1024;
/** A message that is too long up to here is answered with a close code; a longer one breaks the connection. */
export const MAX_MESSAGE_BYTES = 64 * 1024;
export const MAX_SOUND_BYTES = bytesOf(100);
const MIN_SOUND_BYTES = bytesOf(10);
const MAX_TYPED_LENGTH = 2_000;

const startMessage = z.object({ type: z.literal('start'), token: z.string().min(1).max(200) });

const clientMessage = z.discriminatedUnion('type', [
  /** How much of the call the browser has played, in milliseconds. */
  z.object({ type: z.literal('played'), ms: z.number().nonnegative() }),
  z.object({ type: z.literal('key'), digit: z.string().regex(/^[0-9*#]$/) }),
  /** Words that were typed instead of spoken. */
  z.object({ type: z.literal('text'), text: z.string().trim().refine(hasVisibleText).max(MAX_TYPED_LENGTH) }),
  z.object({ type: z.literal('hangup') }),
]);

export type ClientMessage = z.infer<typeof clientMessage>;

export type ServerMessage =
  | { readonly type: 'ready'; readonly sample_rate: number; readonly frame_ms: number }
  /** Drop what has not been played. */
  | { readonly type: 'clear' }
  | {
      readonly type: 'turn';
      readonly role: 'assistant' | 'customer';
      readonly text: string;
      /** False while more of it may come; the next one of the same role then replaces it. */
      readonly final: boolean;
    }
  /** What the assistant does; `listening` at the start. */
  | { readonly type: 'state'; readonly state: AssistantState }
  | { readonly type: 'ended'; readonly reason: string };

/**
 * The token of a first message.
 *
 * @returns null when the message shows no token; undefined when it is no JSON
 */
export function tokenOf(data: Buffer): string | null | undefined {
  const json = jsonOf(data);
  if (json === undefined) return undefined;
  const message = startMessage.safeParse(json);
  return message.success ? message.data.token : null;
}

/** Null when it is no message of the protocol. */
export function clientMessageOf(data: Buffer): ClientMessage | null {
  const message = clientMessage.safeParse(jsonOf(data));
  return message.success ? message.data : null;
}

/** Samples of a message of sound, 10 to 100 ms of PCM16 little-endian; null when it cannot be one. */
export function samplesOf(data: Buffer): Int16Array | null {
  if (data.length < MIN_SOUND_BYTES || data.length > MAX_SOUND_BYTES || data.length % 2 !== 0) return null;
  const samples = new Int16Array(data.length / 2);
  for (let index = 0; index < samples.length; index++) samples[index] = data.readInt16LE(index * 2);
  return samples;
}

export function bytesOfSamples(samples: Int16Array): Buffer {
  const bytes = Buffer.allocUnsafe(samples.length * 2);
  for (let index = 0; index < samples.length; index++) bytes.writeInt16LE(samples[index] ?? 0, index * 2);
  return bytes;
}

/** Undefined when it is no JSON, or too long. */
export function jsonOf(data: Buffer): unknown {
  if (data.length > MAX_TEXT_BYTES) return undefined;
  try {
    return JSON.parse(data.toString('utf8'));
  } catch {
    return undefined;
  }
}

function bytesOf(ms: number): number {
  return (WEB_CALL_SAMPLE_RATE_HZ / 1000) * ms * 2;
}
