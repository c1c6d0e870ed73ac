import type { AgentTurn } from '../state/agent-turn.js';
import { expectsWords, isIdle, isTakenOver, mayAnswer } from '../state/agent-turn-states.js';
import type { TranscriptTurn } from '../../../runtime/call/session/call-setup.js';
import { ANSWER_OWED } from '../../../runtime/call/session/colleague-words.js';
import type { EngineSession } from '../engine/engine-session.js';
import { LateResults } from './late-results.js';
import type { TranscriptWriter } from './transcript-writer.js';
import { TypedWords } from './typed-words.js';

/** For the model that continues after a realtime model was lost. */
const INTERRUPTED =
  'The connection was interrupted for a moment. Go on with what you were about to say or do; ask the customer to repeat what you may have missed.';

/** For results of tools about which the engine does not ask the model. */
const LATE_RESULT =
  'A tool that you had called has answered in the meantime. Tell the customer what has come of it, if you have not done so.';

/** For the model whose answer was cut off, or was due, when the remote party put the call on hold. */
const RESUMED =
  'The customer had put the call on hold and is back. Go on with what you were about to say; do not repeat what they have heard.';

const NOT_UNDERSTOOD = 'You could not understand what the customer has just said. Ask them to say it again.';

export interface ReplyRequestsHost {
  /** Whether the customer may interrupt what is being said. */
  mayInterrupt(): boolean;
  /** Whether a tool has given results that no model has read. */
  hasUnreadResults(): boolean;
  /** The customer has typed something for a person. */
  onOverheard(turn: TranscriptTurn): void;
  /** The customer has finished, and is about to be answered. */
  onCustomerFinished(words: string): void;
  /** Another model has taken the place of a lost one, and nothing has been said yet. */
  onModelReplaced(): void;
}

/** Asks the model for answers that the engine does not ask for by itself. */
export class ReplyRequests {
  private readonly typed: TypedWords;
  private readonly lateResults: LateResults;

  constructor(
    private readonly turn: AgentTurn,
    private readonly engine: EngineSession,
    private readonly transcript: TranscriptWriter,
    private readonly host: ReplyRequestsHost,
  ) {
    this.typed = new TypedWords({
      session: () => (turn.is(mayAnswer) ? engine.current : null),
      get mayInterrupt() {
        return host.mayInterrupt();
      },
      onAnswer: (words, message) => {
        transcript.isTyped(message);
        host.onCustomerFinished(words);
        engine.countRequest();
      },
    });
    this.lateResults = new LateResults({
      isIdle: () => turn.is(isIdle),
      areUnread: () => host.hasUnreadResults(),
      askModel: () => void engine.reply({ instructions: LATE_RESULT }),
    });
  }

  /** Answers words of the customer that came otherwise than by sound. */
  hear(words: string): void {
    const said = this.transcript.customerTyped(words);
    if (this.turn.is(isTakenOver)) return this.host.onOverheard(said);
    this.typed.add(words);
    void this.typed.answer();
  }

  /** Answers words after the hold that the customer said just before it. */
  hearLater(words: string): void {
    this.transcript.dropUnanswered();
    this.transcript.customerTyped(words);
    this.typed.add(words);
  }

  /** Leaves typed words unanswered. */
  drop(): void {
    this.typed.drop();
  }

  /** A tool has answered about which the engine does not ask the model. */
  watchLateResults(): void {
    if (!this.turn.is(isTakenOver)) this.lateResults.watch();
  }

  /** Leaves everything unanswered: a person speaks to the customer. */
  leaveToPerson(): void {
    this.typed.drop();
    this.lateResults.stop();
    this.turn.dispatch('reply-over');
  }

  /** The assistant has the customer again. @param isAnswerOwed the last words are the customer's */
  resumeAfterTakeover(isAnswerOwed: boolean): void {
    const { turn } = this;
    // What a hold has cut off was for the person to go on with.
    turn.dispatch('answer-requested');
    if (!isAnswerOwed) return;
    if (turn.state.line === 'held') turn.dispatch('answer-cut-off');
    else if (turn.state.customer === 'silent') this.request(ANSWER_OWED);
  }

  stop(): void {
    this.lateResults.stop();
  }

  askAgain(): void {
    void this.engine.reply({ instructions: NOT_UNDERSTOOD });
  }

  /** Answers what the customer has typed, or else what a hold has cut off; once no tool runs that the answer needs. */
  async answerDue(): Promise<void> {
    const { turn, engine } = this;
    const isAnswered = await this.typed.answer();
    if (turn.state.owed !== 'answer' || !engine.current || !turn.is(mayAnswer)) return;
    turn.dispatch('answer-requested');
    if (isAnswered || turn.state.queue === 'speaking') return;
    this.request(RESUMED);
  }

  /** A queued text is said again by the queue; any other answer that the lost model owed is requested here. */
  resumeAfterReplacement(): void {
    const { turn } = this;
    const isDue = turn.state.model === 'asked' && turn.state.queue === 'empty' && turn.is(expectsWords);
    turn.dispatch('model-replaced');
    this.host.onModelReplaced();
    if (isDue) this.request(INTERRUPTED);
    else void this.answerDue();
  }

  /** The customer may speak in the meantime: another speech answers them, and this one ends without a sound. */
  private request(instructions: string): void {
    this.turn.dispatch('reply-due');
    const speech = this.engine.reply({ instructions });
    speech?.addDoneCallback(() => this.turn.dispatch('reply-over'));
  }
}
