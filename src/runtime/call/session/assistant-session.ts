import type { CallAudio } from '@prosa/audio';
import type { ChatModel } from '../../../providers/llm/chat-model.js';
import type { AssistantState, CallMedia } from '../../../providers/telephony/call/call-line.js';
import type { CompiledAssistant } from '../../compile-assistant.js';
import type { FunctionCall, StartedFunction } from '../../function-call.js';
import type { ToolOrigin } from '../../tools/tool.js';
import type { Variables } from '../../variables.js';
import type { CallControls } from '../../tools/call-controls.js';
import type { RemoteParty } from './remote-party.js';
import type { PersonOnCall, PersonVoice } from './person-on-call.js';
import type { CallSpeakers } from './call-speakers.js';
import type { ModelUsage, TranscriptTurn } from './call-setup.js';
import type {
  IgnoredWords,
  LineLatenessFigures,
  SpokenVoice,
  SessionRecording,
  TurnMetrics,
} from './session-facts.js';
import type { VoiceSettings } from '../settings/voice-settings.js';

export type { SessionRecording, TurnMetrics } from './session-facts.js';

/**
 * How an assistant speaks and listens on one call. It knows the conversation, and nothing of the call around it: limits,
 * silence, voicemail, keys and transfers are the matter of the call's life, which drives it.
 *
 * It answers the customer by itself, one turn after the other, as soon as it is started. Nothing is answered while the
 * customer is on hold, nor after the end: `SessionSetup.signal` drops current speech and pending answers.
 */
export interface AssistantSession {
  /**
   * Begins to listen. To be called once, before anything else.
   *
   * @param listener hears of the conversation until `close` returns
   * @throws CallCarrierError when the line cannot be used
   */
  start(listener: SessionListener): Promise<void>;

  /**
   * Says these words at once: before a pending answer, and after current speech. Returns when they have been
   * heard, or have not. They are part of the conversation as the model knows it.
   *
   * @throws CallCarrierError when the line is broken
   */
  say(text: string, how?: SayHow): Promise<Spoken>;

  /**
   * Takes a turn without being asked, after the one that is being taken. Returns when it has been heard, or has not.
   *
   * @param input.note an instruction to the model for this turn alone
   * @throws ModelError when no model answers
   * @throws CallCarrierError when the line is broken
   */
  respond(input: { readonly note: string }): Promise<void>;

  /**
   * Adds a note to the agent's instructions for the rest of the call. Current speech is dropped, as is a wait for the
   * beep of a machine. The customer's words are answered under the new note.
   *
   * @param note in place of an earlier one
   */
  instruct(note: string): void;

  /**
   * Gives the agent an instruction for its answers from now on, which the customer must not hear: eight or more words of it in a
   * row are removed from an answer that a chat model writes. What is being said or thought goes on.
   */
  whisper(text: string): void;

  /**
   * Words of the customer that came otherwise than by sound: on a line of text, by the keypad, or typed. They are a turn of
   * the customer, and are answered as if they had been spoken.
   */
  hear(words: string): void;

  /** Returns when all that the model has said so far in this turn has been heard, or has not; for tools, which run in it. */
  spoken(): Promise<Spoken>;

  /**
   * Plays keypad tones, alone: 0-9, A-D, *, # and w for a pause of half a second. Returns when they have been heard.
   *
   * @throws CallCarrierError `not-supported` on a line without sound
   */
  sendKeys(digits: string): Promise<void>;

  /** Drops what is being said and thought, and the customer's words that have no answer yet. */
  cut(): void;

  /** The customer hears the music instead of the assistant, and the model hears nothing; null ends that. */
  hold(music: HoldMusic | null): void;

  /**
   * The far end has put the call on hold: it does not listen, and what it sends is not meant for us. What is being said or
   * thought stops. Until `resume` nothing is said or heard, and no model is asked; `say` and `respond` wait.
   */
  suspend(): void;

  /**
   * The far end has resumed the call. A set text that was cut off is said again from its beginning; an answer that was
   * cut off, or was due, is given now. Otherwise the assistant listens.
   */
  resume(): void;

  /**
   * Joins the customer with a party on another line: from now on they hear each other, in place of hold music, and the
   * model hears nothing and is not asked. What is said by `say` both of them hear. Recorded as before. It is for good.
   *
   * @param farEnd read and sent to until the end of the call; its opener closes it
   * @throws CallCarrierError `not-supported` on a line without sound
   */
  join(farEnd: CallAudio): void;

  /**
   * A person speaks to the customer in place of the assistant, until `handBack`: what is being said or thought is dropped, no model is
   * asked, and `say` and `respond` do nothing. The words of both are turns. The line is recorded as before.
   *
   * @throws CallCarrierError `not-supported` on a line without sound
   */
  takeOver(person: PersonOnCall): PersonVoice;

  /**
   * Says these words in a pause of the conversation, and after some seconds into it, also while a person or hold music is heard. The
   * customer cannot interrupt them, and hears the rest of what they interrupt afterwards. They are a turn, and not part of the
   * conversation as the model knows it. While the far end does not listen, they wait.
   *
   * @returns false when they were not heard to their end because the call is over
   * @throws the error of the voice; CallCarrierError `not-supported` on a line without sound
   */
  announce(text: string): Promise<boolean>;

  /** Plays the short tone by which the customer knows that a person listens. On a line without sound it does nothing. */
  signalListener(): void;

  /**
   * The assistant has the customer again, and knows what was said. It speaks where an answer is owed; otherwise it listens. Does
   * nothing when no person has taken over.
   *
   * @param isAnswerOwed asked once all words of the person are turns
   */
  handBack(isAnswerOwed: () => boolean): Promise<void>;

  /**
   * Stops speaking and listening, and releases the line without hanging up. Never fails; a second call is the same.
   */
  close(): Promise<SessionSummary>;
}

/** `interrupted`: the customer spoke. `cut`: `cut` was called, or the call is over. */
export type Spoken = 'heard' | 'interrupted' | 'cut';

export interface SayHow {
  /** Whether the customer may interrupt; left out: as the assistant is set. */
  readonly interruptible?: boolean;
  /** To an answering machine: not before its own words and its beep are over, which may also be waited for with no words to say. */
  readonly afterBeep?: boolean;
}

export interface HoldMusic {
  /** 0 to 100; 0 is silence. */
  readonly volume: number;
}

/** Receives the events of a session. It must not throw. */
export interface SessionListener {
  /**
   * What was heard, not what was generated.
   *
   * @param earlier the turn as it was reported before, which this one replaces: it continues, or was cut off
   */
  onTurn(turn: TranscriptTurn, earlier?: TranscriptTurn): void;
  onCustomer(state: 'speaking' | 'silent'): void;
  /** Keys the customer pressed, where they are tones in the sound; see `SessionSetup.inBandDigits`. */
  onKeys(digits: string): void;
  /**
   * `busy` while the assistant thinks, speaks or waits for a tool. Silence counts only while it is `listening` and the
   * customer is `silent`, which both are at the start.
   */
  onAssistant(state: 'listening' | 'busy'): void;
  /** What the customer sees the assistant do, where there is sound. A turn that was spoken is reported before. */
  onState?(state: AssistantState): void;
  /** A tool has ended the call, and the last words have been heard. */
  onGoodbye(): void;
  /** Who has answered, where the session can detect it; again when the detection changes. */
  onFarEnd(farEnd: RemoteParty): void;
  /** The model calls a function, where there is sound; `onFunctionCall` follows when it has answered. */
  onFunctionStarted?(call: StartedFunction): void;
  onFunctionCall(call: FunctionCall): void;
  onMetrics(turn: TurnMetrics): void;
  /** Which voice is heard, where there is sound: the first one, and each that takes over. */
  onVoice?(voice: SpokenVoice): void;
  /** Words that are no turn of the customer were heard. */
  onIgnored?(ignored: IgnoredWords): void;
  /** An error after which the session continues, for the log. */
  onError(error: unknown): void;
  /** What ends the session: no model answers any more, or the line is broken. */
  onFailure(error: unknown): void;
}

export interface SessionSummary {
  readonly modelUsage: readonly ModelUsage[];
  /** Null where nothing was recorded. */
  readonly recording: SessionRecording | null;
  /** Resolves when the tools that ran at the end have answered, which the listener hears of; left out: none ran. */
  readonly toolsDone?: Promise<void>;
  /** Left out on a line of text. */
  readonly lateness?: LineLatenessFigures;
}

/** All that a session is made of. */
export interface SessionSetup {
  /** The carrier's. */
  readonly callId: string;
  /** The account whose call it is: what is heard and said goes by its keys, where it has brought some. */
  readonly userId: number;
  readonly media: CallMedia;
  /** What thinks, where no realtime model does. */
  readonly chatModel: ChatModel;
  /** Who speaks at first; compiled for the channel `call`. */
  readonly assistant: CompiledAssistant;
  readonly variables: Variables;
  /** As in Speaker. */
  readonly toolVariables: Variables;
  /** Assistants that may take over; the session updates the current one. Left out: none. */
  readonly speakers?: CallSpeakers;
  /** What tools may do with the line. */
  readonly controls: CallControls;
  /** The call, for tools; left out while a supervisor is briefed. */
  readonly origin?: ToolOrigin;
  /** What was said before, where the call is resumed; empty in a new one. */
  readonly history: readonly TranscriptTurn[];
  /** Since the answer; of turns and metrics. */
  readonly elapsedMs: () => number;
  /** Fires at the end of the call. */
  readonly signal: AbortSignal;
  readonly voice: VoiceSettings | null;
  /** As the carrier says; then the session listens for the tones of keys. */
  readonly inBandDigits: boolean;
  /** Whether the session detects by the sound who has answered; see `SessionListener.onFarEnd`. */
  readonly detectsMachines: boolean;
  /** As in CallSetup. */
  readonly recordAs: number | null;
}

/** Makes sessions for one kind of media. */
export interface AssistantSessionFactory {
  /** While it rings: what will surely be said first may be rendered. Never fails, and returns at once. */
  prepare(setup: SessionPreparation): void;

  make(setup: SessionSetup): Promise<AssistantSession>;
}

export interface SessionPreparation extends Pick<
  SessionSetup,
  'callId' | 'userId' | 'assistant' | 'variables' | 'voice'
> {
  /** Fires when no session will be made. */
  readonly signal: AbortSignal;
}
