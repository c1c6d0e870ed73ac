import { setTimeout as sleep } from 'node:timers/promises';
import { SentencePieces } from '../../common/spoken-text/sentences/sentence-pieces.js';
import type { ActiveAgent } from '../agent/active-agent.js';
import { SpeechFailed } from '../agent/speech-failed.error.js';
import { nameOfVoice, phraseSound } from '../fillers/phrase-sounds.js';
import type { VoiceLine } from '../line/voice-line.js';
import type { AgentTurn } from './state/agent-turn.js';
import { isOver, isSpeaking } from './state/agent-turn-states.js';
import type { ResumeGate } from './state/resume-gate.js';
import type { TranscriptWriter } from './turns/transcript-writer.js';

const SENTENCE_PAUSE_MS = 300;
/** After this time an announcement does not wait for a pause of the conversation any more. */
const MAX_WAIT_MS = 5_000;
const LOOK_MS = 50;

/** Words of which the engine knows nothing, and which the customer cannot interrupt. */
export class Announcements {
  constructor(
    private readonly turn: AgentTurn,
    private readonly agent: ActiveAgent,
    private readonly gate: ResumeGate,
    private readonly transcript: TranscriptWriter,
    private readonly elapsedMs: () => number,
  ) {}

  /** As `AssistantSession.announce` says. */
  async say(text: string, line: VoiceLine): Promise<boolean> {
    const samples = await this.soundOf(text, line.sampleRateHz);
    await this.awaitPause();
    if (this.turn.is(isOver)) return false;
    const startMs = this.elapsedMs();
    await line.announce(samples, () => {
      if (!this.turn.is(isOver)) this.saidAll(text, startMs);
    });
    return !this.turn.is(isOver);
  }

  private saidAll(text: string, startMs: number): void {
    const endMs = this.elapsedMs();
    this.transcript.said({ speaker: 'assistant', text, startMs, endMs, interrupted: false });
  }

  private async awaitPause(): Promise<void> {
    const { gate, turn } = this;
    await gate.wait();
    const untilMs = performance.now() + MAX_WAIT_MS;
    const isPause = () => turn.is((state) => state.customer === 'silent' && !isSpeaking(state));
    while (!turn.is(isOver) && !isPause() && performance.now() < untilMs) await sleep(LOOK_MS);
  }

  private async soundOf(text: string, rateHz: number): Promise<Int16Array> {
    const { voice, speech } = this.agent;
    const tts = await speech.phraseVoice();
    if (!tts) throw new SpeechFailed('No voice can say the announcement.');
    const locale = voice.languages[0]?.locale;
    const pieces = new SentencePieces(locale ?? '');
    const sentences = [...pieces.push(text), ...pieces.end()];
    const sounds = await Promise.all(
      sentences.map((sentence) => phraseSound(tts, nameOfVoice(voice, locale), sentence.trim(), rateHz)),
    );
    const pause = new Int16Array((rateHz * SENTENCE_PAUSE_MS) / 1_000);
    return joined(sounds.flatMap((sound, at) => (at === 0 ? [sound] : [pause, sound])));
  }
}

function joined(parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
