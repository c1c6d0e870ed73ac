import { ReadableStream } from 'node:stream/web';
import type { voice } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { spokenText } from '../../common/spoken-text/spoken-text.js';
import type { Spoken } from '../../runtime/call/session/assistant-session.js';
import type { ActiveAgent } from '../agent/active-agent.js';
import type { RenderedSpeech } from '../agent/speech-services.js';
import type { AgentTurn } from './state/agent-turn.js';
import { isOver, isTakenOver } from './state/agent-turn-states.js';
import type { EngineSession } from './engine/engine-session.js';
import type { ResumeGate } from './state/resume-gate.js';
import type { SpeechHandles } from './state/speech-handles.js';

/** Texts and turns that the call requests, as opposed to answers to the customer. */
export class SpeechQueue {
  private onResponseFailed: ((error: unknown) => void) | null = null;

  /** @param rendered a text and its audio; said once */
  constructor(
    private readonly turn: AgentTurn,
    private readonly engine: EngineSession,
    private readonly agent: ActiveAgent,
    private readonly speeches: SpeechHandles,
    private readonly gate: ResumeGate,
    private rendered: RenderedSpeech | null,
  ) {}

  say(words: string, interruptible: boolean | undefined): Promise<Spoken> {
    return this.run((session) => this.speak(session, words, interruptible));
  }

  /** @throws the error of the model when no model answers */
  async respond(note: string): Promise<void> {
    let failed: (error: unknown) => void = () => {};
    const failure = new Promise<never>((_resolve, reject) => {
      failed = reject;
    });
    this.onResponseFailed = failed;
    const spoken = this.run((session) => session.generateReply({ instructions: note }));
    try {
      await Promise.race([failure, spoken]);
    } finally {
      this.onResponseFailed = null;
      failure.catch(() => undefined);
      spoken.catch(() => undefined);
    }
  }

  /** No model answers. @returns whether a caller of `respond` gets the error */
  failResponse(error: unknown): boolean {
    this.onResponseFailed?.(error);
    return this.onResponseFailed !== null;
  }

  /** Speaks once more where the session was lost, or the call put on hold, before all of it had been heard. */
  private async run(speak: (session: voice.AgentSession) => voice.SpeechHandle): Promise<Spoken> {
    const end = this.turn.queue.begin();
    try {
      for (;;) {
        await this.gate.wait();
        const session = await this.engine.ready();
        if (this.turn.is(isOver) || this.turn.is(isTakenOver) || !session) return 'cut';
        const speech = speak(session);
        const spoken = await this.speeches.outcomeOf(speech, speech.waitForPlayout());
        const next = await this.engine.ready();
        if (spoken === 'cut' && this.speeches.wasSuspended(speech) && !this.turn.is(isOver)) continue;
        if (spoken === 'cut' || next === session || next === null) return spoken;
      }
    } finally {
      end();
    }
  }

  private speak(
    session: voice.AgentSession,
    words: string,
    interruptible: boolean | undefined,
  ): voice.SpeechHandle {
    const { voice: settings, speech } = this.agent;
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
