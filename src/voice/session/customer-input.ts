import type { voice } from '@livekit/agents';
import type { TranscriptTurn } from '../../runtime/call/session/call-setup.js';
import type { ActiveAgent } from '../agent/active-agent.js';
import { CustomerHearing } from '../hearing/customer-hearing.js';
import type { VoiceLine } from '../line/voice-line.js';
import type { AmdMonitor } from '../machine/amd-monitor.js';
import type { AgentTurn } from './state/agent-turn.js';
import { expectsWords, isOver, isSounding, overhearsWords } from './state/agent-turn-states.js';
import type { SessionReports } from './state/session-reports.js';
import type { SpeechHandles } from './state/speech-handles.js';
import type { SpeechOutput } from './speech-output.js';
import type { ReplyRequests } from './turns/reply-requests.js';
import type { TranscriptWriter } from './turns/transcript-writer.js';

export interface CustomerInputHost {
  /** The customer has said something to a person. */
  onOverheard(turn: TranscriptTurn | null): void;
}

/** What the assistant hears of the customer: speech, words and turns. */
export class CustomerInput {
  readonly hearing: CustomerHearing;
  private line: VoiceLine | null = null;
  private amd: AmdMonitor | null = null;

  constructor(
    private readonly turn: AgentTurn,
    private readonly agent: ActiveAgent,
    private readonly speeches: SpeechHandles,
    private readonly output: SpeechOutput,
    private readonly replies: ReplyRequests,
    private readonly transcript: TranscriptWriter,
    private readonly reports: SessionReports,
    private readonly host: CustomerInputHost,
  ) {
    this.hearing = this.makeHearing();
  }

  begin(line: VoiceLine, amd: AmdMonitor | null): void {
    this.line = line;
    this.amd = amd;
  }

  /** Words of a recognizer, also those that are still being spoken. */
  words(words: string, areFinal: boolean): void {
    this.amd?.words(words, areFinal);
    if (!areFinal) return;
    if (this.turn.is(expectsWords) || this.turn.is(overhearsWords)) this.transcript.customerHeard(words);
  }

  /** Whether the customer speaks, as the engine detects it. */
  speech(state: voice.UserState): void {
    const { turn, agent, reports } = this;
    const isSpeaking = state === 'speaking';
    turn.dispatch(isSpeaking ? 'customer-started' : 'customer-stopped');
    if (isSpeaking) this.transcript.customerSpeaks();
    if (agent.speech.realtime && isSpeaking) this.output.cutFiller();
    else if (agent.speech.realtime && turn.is(expectsWords)) {
      turn.dispatch('model-asked');
      turn.dispatch('reply-due');
    }
    reports.customer(isSpeaking ? 'speaking' : 'silent');
  }

  /** The customer has finished a turn. @returns whether the words are to be answered now */
  finished(words: string): boolean {
    const { turn } = this;
    const { line, hold } = turn.state;
    if (turn.is(isOver)) return false;
    if (turn.is(overhearsWords)) this.host.onOverheard(this.transcript.keepUnanswered());
    if (line === 'held' && hold === 'none') this.replies.hearLater(words);
    if (!turn.is(expectsWords)) return false;
    this.output.customerFinished(words);
    return true;
  }

  private makeHearing(): CustomerHearing {
    const { turn } = this;
    return new CustomerHearing({
      voice: () => this.agent.voice,
      mayInterrupt: () => !turn.is(isSounding) || this.speeches.areInterruptible,
      assistantDoes: (withinMs) => this.line?.assistantDoes(withinMs) ?? 'nothing',
      onInterruption: () => this.output.cutFiller(),
      onWordsKept: (words) => {
        if (turn.is(expectsWords)) this.replies.hear(words);
      },
      onIgnored: (ignored) => {
        this.transcript.customerIgnored();
        this.reports.ignored(ignored);
      },
      resume: () => this.line?.output.resume(),
    });
  }
}
