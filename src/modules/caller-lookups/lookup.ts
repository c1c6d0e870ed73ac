import type { CallLookup, LookupError } from '../../common/phone/call-routing.js';
import type { LookupAnswer } from './lookup-answer.js';

export const LOOKUP_TYPES = ['inbound', 'web', 'conversation'] as const;
export type LookupType = (typeof LOOKUP_TYPES)[number];

/** What is asked about a caller before the call or conversation begins. */
export interface LookupQuestion {
  readonly userId: number;
  readonly url: string;
  /** Real milliseconds, from the look-up of the server's name to the last byte of its answer. */
  readonly timeoutMs: number;
  readonly type: LookupType;
  /** The assistant that answers unless the lookup names another; null where none would. */
  readonly assistantId: number | null;
  /** E.164; null where it is not known. */
  readonly customerPhone: string | null;
  readonly assistantPhone: string | null;
  readonly phoneNumberId: number | null;
  /** Null where the call has no row, and for conversations. */
  readonly callId: number | null;
  readonly conversationId: string | null;
  /** Of telephone calls, names in lower case. */
  readonly sipHeaders: Readonly<Record<string, string>>;
  /** The owner tries the lookup out, and there is no call. */
  readonly isTest?: boolean;
}

export interface LookupResult extends CallLookup {
  /** Of the server; null where it gave none, or was not asked. */
  readonly httpStatus: number | null;
  /** Set where the status is `ok`, and only there. */
  readonly answer: LookupAnswer | null;
}

/** Faults of what an answer names. Those of its form are failures of the server. */
const IGNORED: ReadonlySet<LookupError> = new Set(['unknown_assistant', 'bad_phone_number']);

/** What comes of an answer that cannot be used. */
export function faulty(error: LookupError): Pick<LookupResult, 'status' | 'error' | 'answer'> {
  return { status: IGNORED.has(error) ? 'ignored' : 'failed', error, answer: null };
}
