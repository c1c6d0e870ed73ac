import { familyOf } from './carrier-name.js';
import type { CallCarrierCapabilities } from './call/call-capabilities.js';
import type { PlaceCall, PlacedCall, CallLookup, CallPlacing } from './call/call-placing.js';
import type { CallEvent } from './call/carrier-call.js';
import type {
  InboundOffer,
  RejectReason,
  SpokenMessage,
  ForwardCall,
  IncomingCalls,
} from './call/incoming-calls.js';
import type { TransferCall, CallMedia, CallLine } from './call/call-line.js';
import type { LineTakeover } from './call/line-takeover.js';

/**
 * Places calls and reports their progress. Renting numbers belongs to NumberCarrier.
 *
 * A call belongs to the carrier, not to the process that placed it. Any process may look it up by its key, watch it
 * from now on and act on it. That is how a worker adopts the call of a process that died.
 * Events between two watches are not kept: the first event of the next watch reports the state. Words and digits of
 * that time are lost.
 *
 * For the dialler:
 *
 * - Take the advisory lock, commit the attempt, `place` with the attempt's id, write the outcome, unlock. Adapters send
 *   once and never retry by themselves.
 * - `place` failed with `sent: 'no'`: when `isUndelivered`, the carrier is away or takes no more calls, and this was
 *   no attempt. Otherwise it has refused the call, which has failed.
 * - `sent: 'maybe'`, or the process died in between: `findCall`. `yes` means adopt, and `absent` means send the same
 *   key. `unknown` means send the same key if the carrier keeps keys (`keyRetentionMs`) and the attempt is younger than
 *   that. Otherwise there is no redial.
 * - `watch` the call. The iterator may be read up to `answered` and handed to the CallController afterwards, so that no word
 *   in between is lost.
 * - A call whose watcher died continues. The sweeper finds its row and adopts it by `watch`. `no-such-call` means
 *   that the carrier has forgotten it (a sandbox in a process that has ended): the call is over, with an unknown
 *   outcome.
 *
 * Every request ends within 15 seconds, with an answer or with a CallCarrierError, and nothing else is thrown.
 */
export abstract class CallCarrier implements CallPlacing, CallLine, IncomingCalls {
  /** Of the carrier, not of the adapter: carriers with the same name fail together. Lower case. */
  abstract readonly name: string;

  /** The name without the account: whose lines voice processes have all together, and what metrics count as one. */
  get family(): string {
    return familyOf(this.name);
  }

  /** Whether the account pays the carrier itself for these calls. If so, Prosa does not charge for the line again. */
  get isPaidByAccount(): boolean {
    return this.name !== this.family;
  }

  /** Whether accounts share the carrier. If so, the operator decides where its calls may go. */
  get isSharedByAccounts(): boolean {
    return !this.isPaidByAccount;
  }

  /**
   * The same carrier, for calls with the credentials of an account; null where it takes no others.
   *
   * @param _carrierAccountId id of the row of `carrier_accounts`
   */
  ofAccount(_carrierAccountId: string): CallCarrier | null {
    return null;
  }

  abstract readonly capabilities: CallCarrierCapabilities;
  abstract readonly media: CallMedia;

  /** Null where no line is both `livesInProcess` and `reattachable`. */
  get takeover(): LineTakeover | null {
    return null;
  }

  /** Whether an incoming call that this process rejects as `full` goes to another one. */
  get passesOn(): boolean {
    return false;
  }

  /** Whether this process can place calls; where it cannot, another one has the lines. */
  get placesHere(): boolean {
    return true;
  }

  abstract place(request: PlaceCall): Promise<PlacedCall>;
  abstract findCall(key: string): Promise<CallLookup>;
  abstract watch(callId: string, signal?: AbortSignal): AsyncIterableIterator<CallEvent>;
  abstract hangUp(callId: string): Promise<void>;
  abstract transfer(callId: string, transfer: TransferCall): Promise<void>;
  abstract sendDigits(callId: string, digits: string): Promise<void>;
  abstract inboundOffers(signal: AbortSignal): AsyncIterableIterator<InboundOffer>;
  abstract accept(callId: string): Promise<void>;
  announce?(callId: string, message: SpokenMessage): Promise<void>;
  forward?(callId: string, forward: ForwardCall): Promise<void>;
  adopt?(callId: string): Promise<void>;
  abstract reject(callId: string, reason: RejectReason): Promise<void>;

  /** Stops watching everything and frees what this process holds. Calls go on where the carrier lives elsewhere. */
  abstract close(): Promise<void>;
}
