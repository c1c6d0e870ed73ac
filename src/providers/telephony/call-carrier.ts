import type { AudioLine } from '@prosa/audio';
import { familyOf } from './carrier-name.js';

/**
 * How a carrier connects a customer to a third party:
 *
 * - `none`: not at all
 * - `carrier`: by `transfer`, also with a briefing, which the carrier itself gives
 * - `refer`: by `transfer` without a briefing, where the far end takes that
 *
 * Where a carrier cannot transfer, the process that has the call's audio does: it places a second call, briefs the
 * person who answers, and bridges the audio of both.
 */
export type TransferMeans = 'none' | 'carrier' | 'refer';

export interface CallCarrierCapabilities {
  /**
   * How long a key that is sent again returns the same call, in milliseconds; 0 when the carrier knows no keys. Then a
   * request that was `maybe` sent must not be sent again unless `findCall` says `absent`.
   */
  readonly keyRetentionMs: number;
  /** `findCall` can say `absent`. Without it the answer for a key it has not seen is `unknown`. */
  readonly provesAbsence: boolean;
  readonly transfer: TransferMeans;
  readonly sendDigits: boolean;
  /** Keys are tones in the audio: they come as no `digits` events, and `sendDigits` plays none. */
  readonly inBandDigits: boolean;
  readonly inbound: boolean;
  /** It tells people from machines by itself, with `answering-machine-detection` events. */
  readonly machineDetection: boolean;
  /** It is the telephone network, where calls ring with real people, at their hours. */
  readonly reachesPeople: boolean;
  /**
   * A call continues when the process that watches it dies, and another process may adopt it. Where this is false,
   * the line dies with that process, and all that remains is to end the call.
   */
  readonly reattachable: boolean;
  /**
   * Signalling and sound of a call are in the process that has it: no other can hang it up. Where such a line is
   * `reattachable`, another process adopts it by `takeover`.
   */
  readonly livesInProcess: boolean;
  /** How many calls a second it may be asked for; null where it sets no limit. */
  readonly placementsPerSecond: number | null;
  /** The same for the calls of one SIP trunk. */
  readonly placementsPerSecondOfTrunk: number | null;
  /**
   * How fast the carrier's time runs: 1 in the real world, SANDBOX_SPEED in the sandbox. Waits that belong to calls (retry
   * intervals, the length of a call) are divided by it; leases, sweeps and time limits of requests are not.
   */
  readonly speed: number;
}

/** How many calls a second operators accept, where the carrier is configured with it. */
export type PlacementPace = Partial<
  Pick<CallCarrierCapabilities, 'placementsPerSecond' | 'placementsPerSecondOfTrunk'>
>;

export interface PlaceCall {
  /** The id of the attempt. The same key is the same call: it is never dialled twice while the carrier keeps keys. */
  readonly key: string;
  /** E.164; of a second leg, the number that the far end is to see. */
  readonly from: string;
  /** E.164; of a second leg also a SIP address or an extension. */
  readonly to: string;
  /** The far end of a transfer is called, for a customer who is on another line. Left out: it is not. */
  readonly isSecondLeg?: boolean;
  /** Of a second leg: E.164 of the number that forwards to it. The far end learns it where the carrier can say so. */
  readonly divertedFrom?: string;
  /** Id of the row of `from`, and of its SIP trunk; null for a number without one. */
  readonly phoneNumberId?: number | null;
  /** After so long without an answer the call ends as `no-answer`. In the carrier's time, see `speed`. */
  readonly ringingTimeoutMs: number;
}

export interface PlacedCall {
  readonly callId: string;
  /** The carrier had this key already: nothing was dialled now. */
  readonly repeated: boolean;
}

export type CallLookup =
  | { readonly found: 'yes'; readonly call: CarrierCall }
  /** Provably never dialled: the same key may be sent. */
  | { readonly found: 'absent' }
  /** Cannot be known. Dialling again may ring twice. */
  | { readonly found: 'unknown' };

export type CallProgress = 'dialing' | 'ringing' | 'answered' | 'ended';

export type AnsweredBy = 'human' | 'machine';

/** `running`: the far end rings or is briefed; `connected`: customer and far end talk, and we only hear of the end. */
export type TransferProgress = 'none' | 'running' | 'connected';

export interface CallEnd {
  /** `hung-up` after an answer; the others without one. */
  readonly outcome: 'hung-up' | 'busy' | 'no-answer' | 'failed';
  /** Who ended it: the far end, we, or the carrier (busy, failed, a limit of its own). */
  readonly by: 'customer' | 'platform' | 'carrier';
  /** What the carrier says of a failure, from its own fixed words; for the operator, not for customers. */
  readonly reason: string | null;
  /** From the answer to the end as the carrier counts it, in its own time; 0 without an answer. */
  readonly answeredMs: number;
}

/** The current state of a call. */
export interface CarrierCall {
  readonly callId: string;
  /** Null for inbound calls. */
  readonly key: string | null;
  readonly direction: 'outbound' | 'inbound';
  readonly from: string;
  readonly to: string;
  readonly progress: CallProgress;
  /** Null while the carrier cannot tell. */
  readonly answeredBy: AnsweredBy | null;
  /** Of the last transfer; after a failed one it is `none` again. The adopting process reads here whether to speak. */
  readonly transfer: TransferProgress;
  /** The far end has put the call on hold; left out: it has not, or the carrier cannot tell. */
  readonly isHeld?: boolean;
  /** Real time, as is `endedAt`. */
  readonly answeredAt: Date | null;
  readonly endedAt: Date | null;
  /** Set when `progress` is `ended`. */
  readonly end: CallEnd | null;
}

export type TransferOutcome = 'answered' | 'busy' | 'no-answer' | 'failed' | 'declined';

export type CallEvent =
  /** The current state of the call; the first event of each `watch`. */
  | { readonly type: 'state'; readonly call: CarrierCall }
  | { readonly type: 'ringing' }
  | { readonly type: 'answered' }
  | { readonly type: 'answering-machine-detection'; readonly answeredBy: AnsweredBy }
  /** Keys the customer pressed: 0-9, * and #, in order. */
  | { readonly type: 'digits'; readonly digits: string }
  /** The far end has put the call on hold and does not listen, or has resumed it. */
  | { readonly type: 'hold'; readonly isHeld: boolean }
  /** What the customer said; only on a line of text, once it is said. */
  | { readonly type: 'heard'; readonly text: string }
  /** How a transfer went. After `answered` customer and far end talk, and we only hear of the end. */
  | { readonly type: 'transfer'; readonly transferId: string; readonly outcome: TransferOutcome }
  /** The last event. */
  | { readonly type: 'ended'; readonly call: CarrierCall };

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

export interface InboundOffer {
  readonly callId: string;
  readonly from: string;
  readonly to: string;
  /** Id of the row of `to`, where the carrier knows whose number it is. Left out: the account that has the number. */
  readonly phoneNumberId?: number;
  /** What the operator says of the call in header fields that lookups show: names in lower case, with their values. */
  readonly sipHeaders?: Readonly<Record<string, string>>;
  /** The called number as the operator writes it in the messages of the call. */
  readonly dialled?: readonly string[];
  /** Numbers (E.164) that have forwarded the call before, as the operator says. Left out: none, or it does not say. */
  readonly divertedFrom?: readonly string[];
  /** Id of the row of `carrier_accounts` it came to; left out: the installation's own account at the carrier. */
  readonly carrierAccountId?: string;
}

/** `busy` and `unassigned` are what the caller hears; `full`: this process takes no more, which is `busy` where no other can. */
export type RejectReason = 'busy' | 'full' | 'unassigned';

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

/** Calls that go out. */
export interface CallPlacing {
  /**
   * Dials. Returns as soon as the carrier has taken the call; how it goes, comes by `watch`.
   *
   * @throws CallCarrierError `rejected` when the key was used for another number
   */
  place(request: PlaceCall): Promise<PlacedCall>;

  /** What became of a key. Ended calls are found at least as long as keys are kept. */
  findCall(key: string): Promise<CallLookup>;
}

/** A text that is spoken on a call on which no assistant talks. */
export interface SpokenMessage {
  readonly text: string;
  /** Language tag such as `pt-BR`. */
  readonly language: string;
}

/** A connection of an incoming call with another number, on which no assistant talks. */
export interface ForwardCall {
  /** E.164. */
  readonly to: string;
  /** E.164; what the far end sees as caller. */
  readonly from: string;
  readonly ringingTimeoutMs: number;
  /** The carrier ends the connection so long after the answer. In its own time, see `speed`. */
  readonly maxMs: number;
}

/** Calls that come in. */
export interface IncomingCalls {
  /**
   * Calls that come in, those that are ringing already first. Every process that listens hears of every call, where the
   * carrier can tell them all.
   *
   * @param signal ends the listening, without an error
   */
  inboundOffers(signal: AbortSignal): AsyncIterableIterator<InboundOffer>;

  /**
   * Answers an inbound call.
   *
   * @throws CallCarrierError `taken` when another was quicker, `call-over` when the caller gave up
   */
  accept(callId: string): Promise<void>;

  /**
   * Answers an inbound call with a text that the carrier itself speaks, and hangs up. Not there where the process that has
   * the call's audio has to speak. Throws as `accept` does.
   */
  announce?(callId: string, message: SpokenMessage): Promise<void>;

  /**
   * Calls another number while the caller hears ringing, and answers the inbound call once that one answers. The call ends as
   * the far end does: `busy`, `no-answer` or `failed` without an answer. Not there where the process that has the call's
   * audio has to join two lines. Throws as `accept` does.
   */
  forward?(callId: string, forward: ForwardCall): Promise<void>;

  /**
   * Makes `watch` report a call here that a process which is gone has announced or forwarded. Not there where such calls are
   * reported everywhere, or end with their process.
   *
   * @throws CallCarrierError `unavailable` where the carrier does not answer
   */
  adopt?(callId: string): Promise<void>;

  /** Turns an inbound call away. Throws as `accept` does. */
  reject(callId: string, reason: RejectReason): Promise<void>;
}

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

/** A line of a process that is gone, as it was kept. */
export interface KeptLine {
  readonly callId: string;
  /** As `save` returned it. */
  readonly state: string;
  /** When the last words were said that are on record, since the answer: so long the line surely lasted. */
  readonly lastHeardMs: number;
  /** Its second leg continues as well, and ends with it. Left out: second legs are hung up. */
  readonly keepsSecondLeg?: boolean;
}

/**
 * Continues lines whose process has died. The saved state of a line holds its keys, so it is a secret. The caller
 * ensures that no other process has the line.
 */
export interface LineTakeover {
  /** Whether lines may be taken over in this process now. */
  readonly isReady: boolean;

  /** Whether several processes have lines at the same time, any of which may take over those of one that dies. */
  readonly isShared: boolean;

  /** Tells each time that lines may be taken over in this process from now on. Returns how to end that. */
  onReady(listener: () => void): () => void;

  /**
   * Asks after this process has stood still for so long that others may have taken its lines: nothing is sent on any of them
   * until all who are asked have found out what is still this process's, and given up the rest. Who rejects is asked again.
   * Returns how to end that.
   */
  onStandstill(confirm: () => Promise<void>): () => void;

  /**
   * All that another process needs to continue a line, and to continue or end its second legs. Null while no
   * process could do so.
   */
  save(callId: string, secondLegs: readonly string[]): string | null;

  /** Tells when `save` may return something else, for a line or a second leg. Returns how to end that. */
  onChange(callId: string, listener: () => void): () => void;

  /**
   * Takes a line over, and its second leg where that is wanted. Ends the other second legs it had. Returns when the far end has agreed or the line has ended; `watch`
   * tells which.
   *
   * @throws CallCarrierError `unavailable` where lines cannot be taken over now, `no-such-call` where this one cannot
   */
  resume(line: KeptLine): Promise<void>;

  /**
   * Forgets a line that another process has or is about to take, without signalling to the far end. An unanswered
   * call is hung up, as no process can continue it.
   */
  release(callId: string): void;

  /** Lines in this process that have not ended, ringing ones included, besides these. */
  countOthers(callIds: readonly string[]): number;

  /** Gives up what lines are reached by, so that another process can have it. Lines that are left are hung up. */
  leave(): Promise<void>;
}

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
