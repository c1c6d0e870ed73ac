import type { CallAudio } from '@prosa/audio';
import type { PersonOnCall, PersonVoice } from '../../runtime/call/session/person-on-call.js';
import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import type { RemoteParty } from '../../runtime/call/session/remote-party.js';
import type {
  HoldMusic,
  SayHow,
  Spoken,
  AssistantSession,
  SessionListener,
  SessionSummary,
} from '../../runtime/call/session/assistant-session.js';
import { listenerTone } from '../line/listener-tone.js';
import { VoiceLine } from '../line/voice-line.js';
import { AmdMonitor } from '../machine/amd-monitor.js';
import { isAnswering, isOver, isSpeaking } from './state/agent-turn-states.js';
import { VoiceSessionComponents, type VoiceSessionSetup } from './voice-session-components.js';
import type { VoiceSessionParts } from './voice-session-parts.js';

/** Speaks and listens on a line of sound, by an AgentSession of @livekit/agents that has a line of ours instead of a room. */
export class VoiceSession implements AssistantSession {
  private readonly components: VoiceSessionComponents;
  private line: VoiceLine | null = null;
  private amd: AmdMonitor | null = null;
  private summary: Promise<SessionSummary> | null = null;

  constructor(
    private readonly setup: VoiceSessionSetup,
    private readonly parts: VoiceSessionParts,
  ) {
    this.components = new VoiceSessionComponents(setup, parts, (words) => this.say(words));
  }

  async start(listener: SessionListener): Promise<void> {
    const { setup, parts } = this;
    const { reports, turn, engine, output, customer } = this.components;
    reports.begin(listener);
    parts.heard?.listen((heard) => reports.voice(heard));
    const audio = await setup.line.open(setup.callId, setup.signal);
    const recording = parts.recorder?.begin(audio.sampleRateHz, setup.elapsedMs) ?? null;
    const amdHost = {
      isAssistantSpeaking: () => turn.is(isSpeaking),
      onFarEnd: (farEnd: RemoteParty) => reports.farEnd(farEnd),
    };
    this.amd = setup.detectsMachines ? new AmdMonitor(audio.sampleRateHz, recording, amdHost) : null;
    const line = new VoiceLine(audio, this.amd ?? recording, output.lineListener, setup.inBandDigits);
    this.line = line;
    output.begin(line);
    customer.begin(line, this.amd);
    setup.signal.addEventListener('abort', () => this.silence(), { once: true });
    await Promise.all([line.open(setup.voice), engine.start(line)]);
    output.prepareFillers();
  }

  async say(text: string, how: SayHow = {}): Promise<Spoken> {
    const { engine, turn, voicemail, answers, queue } = this.components;
    const words = text.trim();
    engine.countRequest();
    if (words === '' && !how.afterBeep) return turn.is(isOver) ? 'cut' : 'heard';
    return turn.during(async () => {
      if (how.afterBeep && !(await voicemail.begin(this.line, this.amd?.isRecordingUs === true)))
        return 'cut';
      if (turn.is(isOver)) return 'cut';
      if (words === '') return 'heard';
      answers.requested();
      return queue.say(words, how.interruptible);
    });
  }

  async respond({ note }: { readonly note: string }): Promise<void> {
    const { turn, engine, answers, queue } = this.components;
    if (turn.is(isOver) || !(await engine.ready())) return;
    engine.countRequest();
    answers.requested();
    await turn.during(() => queue.respond(note));
  }

  instruct(note: string): void {
    const { agent, voicemail, output, turn, engine } = this.components;
    agent.instruct(note);
    voicemail.cancel();
    output.stop();
    if (turn.state.call === 'closed') return;
    engine.current?.interrupt();
    this.line?.output.clearBuffer();
  }

  whisper(text: string): void {
    this.components.agent.whisper(text);
  }

  hear(words: string): void {
    this.components.replies.hear(words);
  }

  spoken(): Promise<Spoken> {
    return this.components.tools.spoken();
  }

  async sendKeys(digits: string): Promise<void> {
    await this.components.turn.during(async () => this.line?.playKeys(digits));
  }

  cut(): void {
    const { replies, output, turn, transcript, engine } = this.components;
    replies.drop();
    output.stop();
    // A turn that is dropped during the call stays unanswered; at its end it belongs to the transcript.
    if (!turn.is(isOver)) transcript.dropUnanswered();
    const { current: session } = engine;
    if (!session || turn.state.call === 'closed') return;
    void engine.drop();
    session.clearUserTurn();
    this.line?.output.clearBuffer();
  }

  hold(music: HoldMusic | null): void {
    const { turn, transcript, engine, replies } = this.components;
    turn.dispatch(music ? 'hold-began' : 'hold-ended');
    transcript.dropUnanswered();
    this.line?.hold(music);
    if (music) engine.current?.clearUserTurn();
    else void replies.answerDue();
  }

  suspend(): void {
    const { turn, gate, output } = this.components;
    if (turn.is(isOver)) return;
    if (turn.is(isAnswering)) turn.dispatch('answer-cut-off');
    turn.dispatch('line-held');
    gate.close();
    this.line?.suspend(true);
    this.amd?.pause(true);
    output.suspend();
  }

  resume(): void {
    const { turn, gate, replies } = this.components;
    turn.dispatch('line-resumed');
    gate.open();
    this.line?.suspend(false);
    this.amd?.pause(false);
    void replies.answerDue();
  }

  takeOver(person: PersonOnCall): PersonVoice {
    if (!this.line) throw new CallCarrierError('unavailable', 'no');
    this.components.voicemail.cancel();
    return this.components.takeovers.begin(person, this.line);
  }

  async announce(text: string): Promise<boolean> {
    if (!this.line) throw new CallCarrierError('unavailable', 'no');
    return this.components.announcements.say(text, this.line);
  }

  signalListener(): void {
    this.line?.addSignal(listenerTone(this.line.sampleRateHz));
  }

  handBack(isAnswerOwed: () => boolean): Promise<void> {
    return this.components.takeovers.handBack(isAnswerOwed);
  }

  join(farEnd: CallAudio): void {
    const { turn, engine, takeovers } = this.components;
    void takeovers.end();
    turn.dispatch('parties-joined');
    engine.current?.clearUserTurn();
    this.line?.join(farEnd);
  }

  close(): Promise<SessionSummary> {
    this.summary ??= this.end();
    return this.summary;
  }

  private async end(): Promise<SessionSummary> {
    const { turn, replies, engine, transcript, agent, takeovers, usage, reports } = this.components;
    const { line, parts } = this;
    turn.dispatch('session-closed');
    replies.stop();
    const takenOver = takeovers.end();
    line?.close();
    const recording = parts.recorder?.finish() ?? null;
    await Promise.all([engine.close(), takenOver]);
    transcript.keepUnanswered();
    await engine.within(agent.close());
    const { toolsDone } = agent;
    const summary = {
      modelUsage: usage.all,
      recording: await recording,
      ...(line ? { lateness: line.lateness.figures } : {}),
      ...(toolsDone ? { toolsDone } : {}),
    };
    reports.end();
    return summary;
  }

  /** The call is over: nothing more is said. */
  private silence(): void {
    this.cut();
    this.line?.close();
  }
}
