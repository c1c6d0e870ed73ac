import { z } from 'zod';

/** What goes between SandboxCarrierClient and SandboxCarrierServer: JSON, dates as ISO 8601. */

const answeredBy = z.enum(['human', 'machine']);

const callEnd = z.object({
  outcome: z.enum(['hung-up', 'busy', 'no-answer', 'failed']),
  by: z.enum(['customer', 'platform', 'carrier']),
  reason: z.string().nullable(),
  answeredMs: z.number(),
});

const carrierCall = z.object({
  callId: z.string(),
  key: z.string().nullable(),
  direction: z.enum(['outbound', 'inbound']),
  from: z.string(),
  to: z.string(),
  progress: z.enum(['dialing', 'ringing', 'answered', 'ended']),
  answeredBy: answeredBy.nullable(),
  transfer: z.enum(['none', 'running', 'connected']),
  answeredAt: z.coerce.date().nullable(),
  endedAt: z.coerce.date().nullable(),
  end: callEnd.nullable(),
});

export const wire = {
  place: z.object({
    key: z.string().min(1).max(255),
    from: z.string(),
    to: z.string(),
    ringingTimeoutMs: z.number().positive(),
    /** The speed the caller counts with. */
    speed: z.number(),
  }),
  placed: z.object({ callId: z.string(), repeated: z.boolean() }),
  lookup: z.discriminatedUnion('found', [
    z.object({ found: z.literal('yes'), call: carrierCall }),
    z.object({ found: z.literal('absent') }),
    z.object({ found: z.literal('unknown') }),
  ]),
  event: z.discriminatedUnion('type', [
    z.object({ type: z.literal('state'), call: carrierCall }),
    z.object({ type: z.literal('ringing') }),
    z.object({ type: z.literal('answered') }),
    z.object({ type: z.literal('answering-machine-detection'), answeredBy }),
    z.object({ type: z.literal('digits'), digits: z.string() }),
    z.object({ type: z.literal('heard'), text: z.string() }),
    z.object({
      type: z.literal('transfer'),
      transferId: z.string(),
      outcome: z.enum(['answered', 'busy', 'no-answer', 'failed', 'declined']),
    }),
    z.object({ type: z.literal('ended'), call: carrierCall }),
  ]),
  transfer: z.object({
    transferId: z.string(),
    to: z.string(),
    from: z.string(),
    ringingTimeoutMs: z.number().positive(),
    briefing: z.string().nullable(),
    holdMusicVolume: z.number().nullable(),
  }),
  forward: z.object({
    to: z.string(),
    from: z.string(),
    ringingTimeoutMs: z.number().positive(),
    maxMs: z.number().positive(),
  }),
  digits: z.object({ digits: z.string() }),
  say: z.object({ text: z.string() }),
  said: z.object({ durationMs: z.number() }),
  reject: z.object({ reason: z.enum(['busy', 'full', 'unassigned']) }),
  callIn: z.object({ from: z.string(), to: z.string() }),
  offer: z.object({ callId: z.string(), from: z.string(), to: z.string() }),
  nothing: z.object({}),
  error: z.object({
    code: z.enum([
      'rejected',
      'not-supported',
      'no-such-call',
      'call-over',
      'not-answered',
      'taken',
      'rate-limited',
      'unavailable',
      'timeout',
    ]),
    sent: z.enum(['no', 'maybe', 'yes']),
  }),
} as const;
