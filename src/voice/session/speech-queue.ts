import { ReadableStream } from 'node:stream/web';
import type { voice } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { spokenText } from '../../common/spoken-text/spoken-text.js';
import type { Spoken } from '../../runtime/call/talk.js';
import type { RenderedSpeech } from '../agent/speech-services.js';
import type { EngineSession } from './engine/engine-session.js';
import type { ActiveAgent } from '../agent/active-agent.js';
import type { TalkSuspension } from './talk-suspension.js';
import type { SpeechHandles } from './speech-handles.js';

/** What the assistant is told to say or to speak of, as against what it answers by itself. */
export class SpeechQueue {
  private underWay = 0;
  private responseFailure: ((error: unknown) => void) | null = null;

  /** @param rendered words that are sound already; said once */
  constructor(
    private readonly sessions: EngineSession,
    private readonly speaker: ActiveAgent,
    private readonly speeches: SpeechHandles,
    private readonly suspension: TalkSuspension,
    private readonly signal: AbortSignal,
    private rendered: RenderedSpeech | null,
  ) {}

  /** Whether something is being said that is said again should the session be lost. */
  get areUnderWay(): boolean {
    return this.underWay > 0;
  }

  say(words: string, interruptible: boolean | undefined): Promise<Spoken> {
    return this.through((session) => this.speak(session, words, interruptible));
  }

  /** @throws what no model could answer with */
  async respond(note: string): Promise<void> {
    let failed: (error: unknown) => void = () => {};
    const failure = new Promise<never>((_resolve, reject) => {
      failed = reject;
    });
    this.responseFailure = failed;
    const spoken = this.through((session) => session.generateReply({ instructions: note }));
    try {
      await Promise.race([failure, spoken]);
    } finally {
      this.responseFailure = null;
      failure.catch(() => undefined);
      spoken.catch(() => undefined);
    }
  }

  /** No model answers. @returns whether somebody who waits for a response was told */
  fail(error: unknown): boolean {
    this.responseFailure?.(error);
    return this.responseFailure !== null;
  }

  /** Once more where the session was lost, or the call put on hold, before all of it had been heard. */
  private async through(speak: (session: voice.AgentSession) => voice.SpeechHandle): Promise<Spoken> {
    this.underWay++;
    try {
      for (;;) {
        await this.suspension.wait();
        const session = await this.sessions.ready();
        if (this.signal.aborted || !session) return 'cut';
        const speech = speak(session);
        const spoken = await this.speeches.outcomeOf(speech, speech.waitForPlayout());
        const next = await this.sessions.ready();
        if (spoken === 'cut' && this.speeches.wasSuspended(speech) && !this.signal.aborted) continue;
        if (spoken === 'cut' || next === session || next === null) return spoken;
      }
    } finally {
      this.underWay--;
    }
  }

  private speak(
    session: voice.AgentSession,
    words: string,
    interruptible: boolean | undefined,
  ): voice.SpeechHandle {
    const { voice: settings, speech } = this.speaker;
    if (!speech.tts)
      return session.generateReply({
        instructions: `Say exactly these words, and nothing else: ${spokenText(words)}`,
      });
    const { rendered } = this;
    this.rendered = null;
    const audio =
      rendered?.text === words && rendered.samples.length > 0 ? { audio: framesOf(rendered) } : {};
    return session.say(words, {
      allowInterruptions: interruptible ?? settings.interruptions.allowed,
      ...audio,
    });
  }
}

function framesOf({ samples, sampleRateHz }: RenderedSpeech): ReadableStream<AudioFrame> {
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(new AudioFrame(samples, sampleRateHz, 1, samples.length));
      controller.close();
    },
  });
}
