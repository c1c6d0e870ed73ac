import type { AudioLine } from '@prosa/audio';
import type { CallCarrierCapabilities } from './call-capabilities.js';
import type { PlaceCall, PlacedCall } from './call-placing.js';
import type { CallEvent } from './carrier-call.js';
import type { IncomingCalls } from './incoming-calls.js';

export interface TransferCall {
  /** Chosen by the caller; comes back in the event. */
  readonly transferId: string;
  /** E.164, a SIP address or an extension. */
  readonly to: string;
  /** What the far end sees as caller. */
  readonly from: string;
  readonly ringingTimeoutMs: number;
  /**
   * Null: the customer is connected as soon as the far end answers. Else a warm transfer: the far end hears the briefing
   * and takes the call or declines it, while the customer is on hold.
   */
  readonly briefing: string | null;
  /** 0 to 100; null for silence. */
  readonly holdMusicVolume: number | null;
}

/** The words of a call, where nothing but words goes over the line. */
export interface TextLine {
  /**
   * Speaks to the customer, and returns at once how long that takes, in the carrier's time. The caller waits that
   * long before it listens. Speaking again before that cuts off the rest.
   *
   * @throws CallCarrierError
   */
  say(callId: string, text: string): Promise<{ readonly durationMs: number }>;
}

/** What goes over the line: `text` is the sandbox's. */
export type CallMedia = { readonly text: TextLine } | { readonly audio: AudioLine };

/**
 * `speaking` from the first sound of a speech until it was heard, or cut off. `thinking` from the end of the
 * customer's words to the first sound of the answer, and while a tool runs.
 */
export type AssistantState = 'listening' | 'thinking' | 'speaking';

export interface ShownTurn {
  /** `agent`: a person who has taken over from the assistant. */
  readonly speaker: 'assistant' | 'customer' | 'agent';
  readonly text: string;
  /** Of an agent; see TranscriptTurn. */
  readonly memberName?: string | null;
  /** Since the answer. A turn with the same start as the one before replaces it: there is more of it. */
  readonly startMs: number;
}

/** What happens on a call, and what can be done with it besides talking. */
export interface CallSignals {
  /**
   * The call's state, then its events. Ends after `ended`, also when the call had ended before; leaving the loop
   * ends nothing but the watching. Several may watch a call. After a broken connection `state` may come once more.
   *
   * @param signal ends the watching, without an error
   * @throws CallCarrierError from the iterator: `no-such-call`, or `unavailable` when the connection stays broken; the call
   *   itself continues
   */
  watch(callId: string, signal?: AbortSignal): AsyncIterableIterator<CallEvent>;

  /** Ends a call in any state; one that has ended is no error. */
  hangUp(callId: string): Promise<void>;

  /**
   * Connects the customer to a third party. Returns when the carrier has begun; the `transfer` event reports the
   * outcome, and only `answered` is success. After any other one the customer is back on this line.
   *
   * @throws CallCarrierError `rejected` while another transfer of the call runs. `not-supported` for one with a
   *   briefing where `TransferMeans` is not `carrier`, or where the far end of this call does not transfer
   */
  transfer(callId: string, transfer: TransferCall): Promise<void>;

  /** Shows the customer what is said, where the line ends at a screen. */
  showTurn?(callId: string, turn: ShownTurn): void;

  /** Shows the customer what the assistant does, where the line ends at a screen. */
  showState?(callId: string, state: AssistantState): void;

  /** Plays keypad tones to the far end: 0-9, A-D, *, # and w for a pause of half a second. */
  sendDigits(callId: string, digits: string): Promise<void>;
}

/** All operations on one call. */
export interface CallLine extends CallSignals, Omit<IncomingCalls, 'inboundOffers'> {
  readonly capabilities: CallCarrierCapabilities;
  readonly media: CallMedia;
}

/** What the second legs of transfers need: to place a call, to follow it, and its audio. */
export interface SecondLegLine {
  readonly media: CallMedia;
  /**
   * See CallPlacing.
   *
   * @param signal aborted when the leg is no longer wanted: it is not placed
   */
  place(request: PlaceCall, signal?: AbortSignal): Promise<PlacedCall>;
  watch(callId: string, signal?: AbortSignal): AsyncIterableIterator<CallEvent>;
  hangUp(callId: string): Promise<void>;
  sendDigits(callId: string, digits: string): Promise<void>;
}
