import type {
  AnsweredBy,
  CallEnd,
  CallEvent,
  TransferOutcome,
} from '../../../providers/telephony/call/carrier-call.js';
import type { AssistantState, SecondLegLine } from '../../../providers/telephony/call/call-line.js';
import type { DestinationRefusal } from '../../../common/phone/destination-refusal.js';
import type { TokenSum } from '../../../common/figures/token-sum.js';
import type { FunctionCall, StartedFunction } from '../../function-call.js';
import type { CompiledAssistant, VariableContext } from '../../compile-assistant.js';
import type { HandoffSource, Speaker } from '../../handoff/handoffs.js';
import type { ToolOrigin } from '../../tools/tool.js';
import type { Variables } from '../../variables.js';
import type { MemberOffers } from './member-offers.js';
import type { PersonOnCall, PersonVoice } from './person-on-call.js';
import type { CallScreener } from './remote-party.js';
import type { CallSettings } from '../settings/call-settings.js';
import type {
  IgnoredWords,
  LineLatenessFigures,
  SpokenVoice,
  SessionRecording,
  TurnMetrics,
} from './session-facts.js';
import type { VoiceSettings } from '../settings/voice-settings.js';

/** An answered call, and who is to talk on it. */
export interface CallSetup {
  readonly callId: string;
  /**
   * The call's `watch`, read up to the answer or not read at all. The engine reads it to its own end and then leaves it;
   * to follow what comes after a transfer, watch again.
   */
  readonly events: AsyncIterator<CallEvent>;
  /** Compiled for the channel `call`. */
  readonly assistant: CompiledAssistant;
  /** With `customerPhone` and `assistantPhone`. */
  readonly variableContext: VariableContext;
  /** As in ToolContext. */
  readonly origin?: ToolOrigin;
  readonly settings: CallSettings;
  /** How the assistant sounds; null where nothing but text goes over the line. */
  readonly voice?: VoiceSettings | null;
  /** Assistants that may take the customer over; left out: none. */
  readonly handoffs?: HandoffSource<CallSpeaker>;
  /** The call's own number, by which its recording is found again; left out or null: it is not recorded. */
  readonly recordAs?: number | null;
  /** The account's numbers by id, for the second legs of transfers; needed only where an assistant transfers. */
  readonly numbers?: ReadonlyMap<number, string>;
  /** By the same ids, what calls from these numbers go out through. */
  readonly secondLegs?: ReadonlyMap<number, SecondLegLine>;
  /** Fills both, where they are empty because no assistant of the call transfers: people may do so. Left out: they are complete. */
  readonly loadNumbers?: () => Promise<void>;
  /** Left out: transfers may go anywhere. */
  readonly destinations?: TransferDestinations;
  /** A machine may have answered: the call was placed by us. Left out: it was not. */
  readonly amdEnabled?: boolean;
  /** Who answered, as far as the carrier knew before the events that are left to read. */
  readonly answeredBy?: AnsweredBy | null;
  /** The far end had put it on hold before the events that are left to read. */
  readonly isHeld?: boolean;
  readonly resumed?: ResumedSession;
  /** A person who may have taken over before this process had the call; left out: no person can. */
  readonly takeover?: EarlierTakeover;
  /** Left out: the call is offered to no person of the account. */
  readonly offers?: MemberOffers;
  readonly listener?: CallListener;
  /** Ends the call, `endedBy: 'stopped'`. */
  readonly signal: AbortSignal;
}

/** A takeover that goes on where another process, or an earlier run of this one, has left it. */
export interface EarlierTakeover {
  /** Who has the customer; null: the assistant. */
  person(): PersonOnCall | null;
  /** @param voice of the person; null where they cannot be heard, so that the assistant has the customer */
  onResumed(voice: PersonVoice | null): void;
}

/** Where the operator lets transfers go. */
export interface TransferDestinations {
  /** @param phoneNumberId of the account's number that calls there; null where the call's own line transfers */
  check(to: string, phoneNumberId: number | null): DestinationRefusal | null;
}

/** An assistant that speaks on a call: the one the call began with, or one that has taken over. */
export interface CallSpeaker extends Speaker {
  /** As in CallSetup. */
  readonly voice: VoiceSettings | null;
}

/** What a call that is adopted has behind it: the assistant does not greet again and its time is not given anew. */
export interface ResumedSession {
  readonly turns: readonly TranscriptTurn[];
  readonly elapsedMs: number;
  /** The customer is on hold, until the outcome of a transfer that another process began. */
  readonly isOnHold: boolean;
  /** The customer heard nothing for a while, and what they said in it is lost; left out: the line was not disturbed. */
  readonly lineBroke?: boolean;
  /** Who has the customer, where another assistant has taken over; left out: the call's own. */
  readonly speaker?: CallSpeaker;
}

export interface TranscriptTurn {
  /** `agent`: a person of the account, who has taken over. */
  readonly speaker: 'assistant' | 'customer' | 'agent';
  readonly text: string;
  /** Since the answer, as is `endMs`. The same moment where the words came all at once. */
  readonly startMs: number;
  readonly endMs: number;
  /** It was cut off: the customer spoke, or the call was over. */
  readonly interrupted: boolean;
  /** Who the person is; null for the owner of the account and for API keys, left out for other speakers. */
  readonly memberName?: string | null;
  /** Which assistant said it, after a hand-over; left out for the call's own, and for customers. */
  readonly assistant?: TurnAssistant;
}

export interface TurnAssistant {
  readonly id: number;
  readonly name: string;
}

/** Receives the events of a call. It must not throw. */
export interface CallListener {
  /** @param earlier the turn as it was reported before, which this one replaces */
  onTurn?(turn: TranscriptTurn, earlier?: TranscriptTurn): void;
  /** As in SessionListener. */
  onState?(state: AssistantState): void;
  /** @param answeredBy null: it is not known any more, after all */
  onAnsweredBy?(answeredBy: AnsweredBy | null): void;
  onAction?(action: CallAction): void;
  /** As in SessionListener. */
  onFunctionStarted?(call: StartedFunction): void;
  /** How long the customer has just waited for an answer. */
  onMetrics?(turn: TurnMetrics): void;
  /** As in SessionListener. */
  onVoice?(voice: SpokenVoice): void;
  /** As in SessionListener. */
  onIgnored?(ignored: IgnoredWords): void;
  /** An error that does not end the call, for the log: a tool that failed, a model that was asked again. */
  onError?(error: unknown): void;
}

/**
 * - `customer`: hung up
 * - `assistant`: by its end_call tool, or after a voicemail message
 * - `silence`: neither side said anything for too long
 * - `limit`: the time was over
 * - `hold`: the far end has kept the call on hold for too long
 * - `transfer`: another party has the customer now, and the line continues; or had them, over a second leg of ours, and has
 *   hung up
 * - `stopped`: by the signal
 * - `failed`: the line or the models failed
 *
 * For the API's call status: `customer` is ended_by_customer; `assistant`, `silence` and `transfer` are
 * ended_by_assistant; `limit`, `hold`, `stopped` and `failed` are ended.
 */
export const CALL_ENDED_BY = [
  'customer',
  'assistant',
  'silence',
  'limit',
  'hold',
  'transfer',
  'stopped',
  'failed',
] as const;

export type CallEndedBy = (typeof CALL_ENDED_BY)[number];

/** Who ended a call, by who ended its line. `platform`: another process has hung up, because the campaign was stopped, say. */
export const ENDED_BY_LINE = {
  customer: 'customer',
  platform: 'stopped',
  carrier: 'failed',
} as const satisfies Record<CallEnd['by'], CallEndedBy>;

export type CallAction =
  | {
      readonly type: 'transfer';
      readonly kind: 'cold' | 'warm';
      readonly to: string;
      readonly outcome: TransferOutcome;
      readonly atMs: number;
    }
  | { readonly type: 'digits-sent' | 'digits-received'; readonly digits: string; readonly atMs: number }
  | {
      readonly type: 'voicemail-message' | 'reengagement' | 'hold-began' | 'hold-ended';
      readonly atMs: number;
    }
  | { readonly type: 'function-call'; readonly call: FunctionCall; readonly atMs: number };

/** What one model was asked in a call. */
export interface ModelUsage extends TokenSum {
  readonly model: string;
  readonly requests: number;
}

export interface CallResult {
  readonly endedBy: CallEndedBy;
  /** Set when `endedBy` is `failed`; for the log. */
  readonly error: unknown;
  /**
   * The customer's line stays open without us: after a transfer by the carrier, or when hanging up failed. Its end,
   * and what it costs, come from the carrier's `ended` event.
   */
  readonly lineIsOpen: boolean;
  /** Those of `resumed` first. */
  readonly transcript: readonly TranscriptTurn[];
  /** Null when it could not be detected. */
  readonly answeredBy: AnsweredBy | null;
  /** What had answered in place of a person; the last of them, and null where none was detected. */
  readonly gatekeeper: CallScreener | null;
  readonly variables: Variables;
  readonly actions: readonly CallAction[];
  /** Of the assistant's time on the line, in the carrier's time. */
  readonly durationMs: number;
  readonly modelUsage: readonly ModelUsage[];
  /** How long the customer waited for each answer; empty on a line of text. */
  readonly metrics: readonly TurnMetrics[];
  /** How often words were heard that are no turn of the customer. */
  readonly ignored: Readonly<Record<IgnoredWords['kind'], number>>;
  /** How late the sound of the line was; null on a line of text. */
  readonly lateness: LineLatenessFigures | null;
  /** Null where nothing was recorded. */
  readonly recording: SessionRecording | null;
  /** Resolves when the tools that ran at the end have answered, which the listener hears of; left out: none ran. */
  readonly toolsDone?: Promise<void>;
}
