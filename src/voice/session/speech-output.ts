import { setImmediate } from 'node:timers/promises';
import type { voice } from '@livekit/agents';
import type { ActiveAgent } from '../agent/active-agent.js';
import { SpeechFailed } from '../agent/speech-failed.error.js';
import type { HeardSpeech } from '../engine/session-output.js';
import type { SpokenWords } from '../engine/spoken-words.js';
import { FillerPlayer } from '../fillers/filler-player.js';
import type { VoiceLine, VoiceLineListener } from '../line/voice-line.js';
import type { AgentTurn } from './state/agent-turn.js';
import { isOver, isQuiet, isTakenOver, pausesReplyTime } from './state/agent-turn-states.js';
import type { EngineSession } from './engine/engine-session.js';
import type { SessionReports } from './state/session-reports.js';
import type { SpeechHandles } from './state/speech-handles.js';
import type { RealtimeAnswers } from './turns/realtime-answers.js';
import type { TranscriptWriter } from './turns/transcript-writer.js';
import type { TurnTiming } from './turns/turn-timing.js';

/** What the customer hears of the assistant: its speech, and fillers while it says nothing. */
export class SpeechOutput {
  private line: VoiceLine | null = null;
  private fillers: FillerPlayer;

  constructor(
    private readonly turn: AgentTurn,
    private readonly agent: ActiveAgent,
    private readonly engine: EngineSession,
    private readonly speeches: SpeechHandles,
    private readonly answers: RealtimeAnswers,
    private readonly transcript: TranscriptWriter,
    private readonly timing: TurnTiming,
    private readonly reports: SessionReports,
  ) {
    this.fillers = this.makeFillers();
  }

  /** The line reports what is heard on it. */
  get lineListener(): VoiceLineListener {
    const { turn, transcript, reports } = this;
    return {
      onSpeechQueued: () => turn.dispatch('sound-queued'),
      onSpeechStarted: () => {
        transcript.dropUnanswered();
        this.timing.soundStarted();
        turn.dispatch('sound-heard');
      },
      onSpeechProgress: (speech) => transcript.assistantSays(speech),
      onSpeech: (speech) => this.heard(speech),
      onSpeechOver: (isLast) => turn.dispatch(isLast ? 'sound-ended' : 'sound-next'),
      onInterjection: (isPlaying) => turn.dispatch(isPlaying ? 'filler-began' : 'filler-ended'),
      onKey: (key) => reports.keys(key),
      onError: (error) => reports.error(error),
    };
  }

  begin(line: VoiceLine): void {
    this.line = line;
  }

  /** Renders fillers before they are needed. */
  prepareFillers(): void {
    this.fillers.prepare();
  }

  /** The engine is going to say something. */
  opened(speech: voice.SpeechHandle): void {
    this.speeches.add(speech);
    const end = this.turn.speeches.begin();
    speech.addDoneCallback(() => {
      end();
      this.answers.speechEnded();
    });
    if (this.turn.state.line === 'held') void this.suspendLate();
    else if (this.turn.is(isTakenOver)) void this.dropLate();
  }

  /** The agent speaks with another voice: its fillers do as well. */
  renewFillers(): void {
    this.fillers.stop();
    this.fillers = this.makeFillers();
    this.fillers.prepare();
  }

  /** The customer waits for an answer, or waits no more. */
  replyIs(reply: 'due' | 'none'): void {
    if (reply === 'due') this.fillers.answerIsDue();
    else this.fillers.stop();
  }

  /** @param words choose the filler that bridges the pause before the answer */
  customerFinished(words: string): void {
    this.fillers.customerFinished(words);
    this.turn.dispatch('reply-due');
  }

  /** The words of the speech whose sound comes next. */
  wordsOf(words: SpokenWords): void {
    this.line?.output.wordsOf(words);
  }

  cutFiller(): void {
    this.line?.cutInterjection();
  }

  /** Drops what is being said; the engine may go on with what it thinks. */
  stop(): void {
    this.turn.dispatch('reply-over');
    this.cutFiller();
    this.speeches.cutAll();
  }

  /** Drops what is being said and thought, for good. */
  drop(): void {
    this.stop();
    void this.engine.drop();
    this.line?.output.clearBuffer();
  }

  /** Drops what is being said and thought, which is said again after the hold. */
  suspend(): void {
    this.turn.dispatch('reply-over');
    this.cutFiller();
    this.speeches.suspendAll();
    void this.engine.drop();
    this.line?.output.clearBuffer();
  }

  /** A realtime model may answer by itself what it heard just before the hold. */
  private async suspendLate(): Promise<void> {
    await setImmediate();
    if (this.turn.state.line === 'open') return;
    this.turn.dispatch('answer-cut-off');
    this.suspend();
  }

  /** Nothing is said while a person speaks to the customer. */
  private async dropLate(): Promise<void> {
    await setImmediate();
    if (this.turn.is(isTakenOver)) this.drop();
  }

  private heard(speech: HeardSpeech): void {
    this.timing.soundEnded();
    this.transcript.assistantSaid(speech);
  }

  /** The customer has waited for an answer too long. */
  private noAnswerCame(): void {
    const error = new SpeechFailed('No answer came.');
    if (!this.engine.lose(error) && !this.turn.is(isOver)) this.reports.failure(error);
  }

  private makeFillers(): FillerPlayer {
    const { turn, reports } = this;
    const { voice, speech } = this.agent;
    return new FillerPlayer(voice, speech, {
      isSilent: () => turn.is(isQuiet),
      isHeldUp: () => turn.is(pausesReplyTime),
      isWaitingForTool: () => turn.state.tools === 'running',
      play: (samples, onOver) => this.line?.interject(samples, onOver),
      lineRateHz: () => this.line?.sampleRateHz ?? 0,
      onSaid: (said) => this.heard(said),
      onError: (error) => reports.error(error),
      onTimeout: () => {
        turn.dispatch('reply-over');
        this.noAnswerCame();
      },
    });
  }
}
