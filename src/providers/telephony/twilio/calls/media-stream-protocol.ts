import { z } from 'zod';

/**
 * Messages of a bidirectional Media Stream (https://www.twilio.com/docs/voice/media-streams/websocket-messages): JSON in text
 * frames; sound is base64 of G.711 mu-law at 8 kHz, without a header.
 */

/** A message holds 20 ms of sound; what Twilio may send beyond that is bounded. */
export const MAX_MESSAGE_BYTES = 64 * 1024;

const started = z.object({
  event: z.literal('start'),
  streamSid: z.string(),
  start: z.object({
    callSid: z.string(),
    accountSid: z.string(),
    customParameters: z.record(z.string(), z.string()).default({}),
    mediaFormat: z.object({ encoding: z.literal('audio/x-mulaw'), sampleRate: z.literal(8_000) }),
  }),
});

const message = z.discriminatedUnion('event', [
  z.object({ event: z.literal('connected') }),
  started,
  z.object({ event: z.literal('media'), media: z.object({ payload: z.string() }) }),
  z.object({ event: z.literal('dtmf'), dtmf: z.object({ digit: z.string() }) }),
  z.object({ event: z.literal('mark') }),
  z.object({ event: z.literal('stop') }),
]);

export type StreamMessage = z.output<typeof message>;
export type StartedStream = z.output<typeof started>;

/** Null for what is no message that is known. */
export function streamMessageOf(text: string): StreamMessage | null {
  try {
    return message.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

export function mediaMessage(streamSid: string, payload: Uint8Array): string {
  return JSON.stringify({
    event: 'media',
    streamSid,
    media: { payload: Buffer.from(payload).toString('base64') },
  });
}

export function clearMessage(streamSid: string): string {
  return JSON.stringify({ event: 'clear', streamSid });
}
