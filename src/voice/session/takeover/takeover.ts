import type { stt } from '@livekit/agents';
import type { TranscriptTurn } from '../../../runtime/call/session/call-setup.js';
import type { PersonOnCall, PersonVoice } from '../../../runtime/call/session/person-on-call.js';
import type { SampleSource } from '../../audio/sample-source.js';
import { PersonSound } from '../../line/person-sound.js';
import type { VoiceLine } from '../../line/voice-line.js';
import type { TranscriptWriter } from '../turns/transcript-writer.js';
import { HeardWords } from './heard-words.js';

/** Of what a person sends. */
const PERSON_RATE_HZ = 24_000;

export interface TakeoverHost {
  /** Since the answer. */
  elapsedMs(): number;
  /** One more recognizer; null where there is none. */
  readonly openRecognizer: (() => Promise<stt.STT>) | null;
  /** Whether the engine does not write down what the customer says to a person. */
  readonly isCustomerUnheard: boolean;
  onError(error: unknown): void;
}

/** A person speaks to the customer in place of the assistant: their sound goes out, and the words of both are turns. */
export class Takeover implements SampleSource {
  readonly voice: PersonVoice;
  /** What was said, of which the engine knows nothing. */
  private readonly said: TranscriptTurn[] = [];
  private readonly sound: PersonSound;
  private readonly person: HeardWords | null;
  private readonly customer: HeardWords | null;

  constructor(
    { memberName }: PersonOnCall,
    private readonly line: VoiceLine,
    private readonly transcript: TranscriptWriter,
    private readonly host: TakeoverHost,
  ) {
    const sound = new PersonSound(PERSON_RATE_HZ, line.sampleRateHz);
    this.sound = sound;
    this.voice = { push: (samples) => sound.push(samples) };
    this.person = this.wordsOf((said) => ({ speaker: 'agent', memberName, ...said }));
    this.customer = host.isCustomerUnheard
      ? this.wordsOf((said) => ({ speaker: 'customer', ...said }))
      : null;
    const { customer } = this;
    line.speakAs(this, customer && ((frame) => customer.push(frame)));
  }

  /** The line reads what the customer hears. */
  read(frame: Int16Array): number {
    const count = this.sound.read(frame);
    this.person?.push(frame);
    return count;
  }

  /** Words of the customer that are a turn, and no message of the engine. */
  customerSaid(turn: TranscriptTurn | null): void {
    if (turn) this.said.push(turn);
  }

  /** @returns what was said, in its order, when the last words are turns */
  async end(): Promise<readonly TranscriptTurn[]> {
    this.line.speakAs(null);
    await Promise.all([this.person?.close(), this.customer?.close()]);
    return this.said.toSorted((one, other) => one.startMs - other.startMs);
  }

  private wordsOf(turnOf: (said: Omit<TranscriptTurn, 'speaker'>) => TranscriptTurn): HeardWords | null {
    const { host } = this;
    if (!host.openRecognizer) return null;
    return new HeardWords(host.openRecognizer, this.line.sampleRateHz, {
      elapsedMs: () => host.elapsedMs(),
      onSaid: (text, startMs, endMs) => {
        const turn = turnOf({ text, startMs, endMs, interrupted: false });
        this.said.push(turn);
        this.transcript.said(turn);
      },
      onError: (error) => host.onError(error),
    });
  }
}
