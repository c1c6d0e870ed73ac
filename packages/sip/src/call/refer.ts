import { KEYS } from '../media/telephone-event.js';
import { parseNameAddress } from '../message/header-values.js';
import type { SipRequest } from '../message/sip-message.js';

/** Of a body that names one key. */
const MAX_KEY_BYTES = 256;

/** How a transfer we asked for goes, by the NOTIFYs of the peer (RFC 3515 §2.4). */
export interface ReferProgress {
  /** Of the far end's response to the peer's INVITE. */
  readonly status: number;
  /** Nothing more comes. */
  readonly final: boolean;
}

/** What a NOTIFY says of a transfer. */
export interface ReferNotify {
  /** Of the far end's response; null where the NOTIFY does not say. */
  readonly status: number | null;
  readonly final: boolean;
}

/** The peer asks us to call a third party. Nothing happens unless the request is accepted. */
export interface ReferRequest {
  /** The URI to be called, without header fields in it. */
  readonly target: string;
  readonly referredBy: string | null;
  accept(): void;
  reject(status: number): void;
  /** Tells the peer how it goes; a status from 200 on is the last. */
  notify(status: number): void;
}

/** The status line of a `message/sipfrag`, which exchanges also send as another type, or as a part of a body. */
const STATUS_LINE = /^[ \t]*SIP\/2\.0[ \t]+([1-6]\d\d)\b/im;
const MAX_NOTIFY_BYTES = 4_096;

/**
 * Reads a NOTIFY about a transfer; null for one about anything else. One that ends the subscription is the last, with a status
 * line in its body or without.
 */
export function parseReferNotify(notify: SipRequest): ReferNotify | null {
  if (!/^\s*refer\s*(?:;|$)/i.test(notify.headers.get('event') ?? '')) return null;
  const isTerminated = /^\s*terminated\b/i.test(notify.headers.get('subscription-state') ?? '');
  const match = STATUS_LINE.exec(notify.body.toString('latin1', 0, MAX_NOTIFY_BYTES));
  const status = match ? Number(match[1]) : null;
  return { status, final: isTerminated || (status !== null && status >= 200) };
}

/** CSeq of the REFER that a NOTIFY is about (RFC 3515 §2.4.6); null where it does not say. */
export function referIdOf(notify: SipRequest): number | null {
  const id = /;\s*id\s*=\s*(\d+)/i.exec(notify.headers.get('event') ?? '')?.[1];
  return id === undefined ? null : Number(id);
}

/** The target of a REFER; null when it has none, or more than one (§2.4.2), or one that is no SIP or tel URI. */
export function referTargetOf(request: SipRequest): string | null {
  const values = request.headers.all('refer-to');
  const uri = values.length === 1 ? parseNameAddress(values[0] ?? '')?.uri : undefined;
  if (!uri || !/^(?:sips?|tel):/i.test(uri)) return null;
  return uri.split('?', 1)[0] ?? null;
}

/** A key in an INFO, as older exchanges send it: `Signal=5`, or the key alone. */
export function keyOfInfo(request: SipRequest): string | null {
  for (const { type, content } of request.parts) {
    const key = keyOf(type, content.toString('latin1', 0, MAX_KEY_BYTES).replaceAll('\0', '').trim());
    if (key !== null) return key;
  }
  return null;
}

/**
 * As Cisco, Nortel and Asterisk name a key, in lines such as `Signal=5`, `Signal="#"` and `d=5`. A number of two digits is that of an
 * event.
 */
const KEY_LINE = /^(?:signal|d)\s*=\s*"?([0-9a-d*#]{1,2})(?:[^\w*#]|$)/i;
const KEY_ALONE = /^([0-9a-d*#]{1,2})$/i;
const KEY_TYPES: ReadonlySet<string> = new Set([
  'application/dtmf',
  'application/dtmf-relay',
  'application/vnd.nortelnetworks.digits',
]);

function keyOf(type: string, text: string): string | null {
  if (!KEY_TYPES.has(type)) return null;
  const signals = text.split('\n').flatMap((line) => KEY_LINE.exec(line)?.[1] ?? []);
  const signal = signals[0] ?? KEY_ALONE.exec(text)?.[1] ?? '';
  if (signal.length < 2) return signal === '' ? null : signal.toUpperCase();
  return /^\d+$/.test(signal) ? (KEYS[Number(signal)] ?? null) : null;
}
