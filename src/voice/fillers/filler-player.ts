import type { VoiceSettings } from '../../runtime/call/settings/voice-settings.js';
import type { HeardSpeech } from '../engine/session-output.js';
import { Fillers } from './fillers.js';
import { ResponseDelayTimer } from './response-delay-timer.js';
import { nameOfVoice, phraseSound } from './phrase-sounds.js';
import { oneMoment } from './waiting-phrases.js';
import type { SpeechServices } from '../agent/speech-services.js';

export interface FillerPlayerHost {
  /** Neither side is heard, and the customer listens. */
  isSilent(): boolean;
  /** As in ResponseDelayTimerHost. */
  isHeldUp(): boolean;
  isWaitingForTool(): boolean;
  lineRateHz(): number;
  play(samples: Int16Array, onOver: () => void): void;
  onSaid(speech: HeardSpeech): void;
  onError(error: unknown): void;
  /** The customer has waited too long: no answer will come. */
  onTimeout(): void;
}

/** Plays short phrases, outside of the engine's speech, while the customer waits for an answer: fillers, and "one moment". */
export class FillerPlayer {
  private readonly delay: ResponseDelayTimer;
  private readonly fillers: Fillers | null;

  constructor(
    private readonly voice: VoiceSettings,
    private readonly speech: SpeechServices,
    private readonly host: FillerPlayerHost,
  ) {
    this.fillers = voice.fillers && voice.mode === 'pipeline' ? new Fillers(voice.fillers) : null;
    this.delay = new ResponseDelayTimer({
      isSilent: () => host.isSilent(),
      isHeldUp: () => host.isHeldUp(),
      isWaitingForTool: () => host.isWaitingForTool(),
      sayFiller: (words) => void this.say(this.fillers?.next(words) ?? null),
      sayOneMoment: () => void this.say(oneMoment(voice.languages[0]?.iso2 ?? '')),
      onTimeout: () => host.onTimeout(),
    });
  }

  /** Renders fillers before they are needed: they come within half a second or not at all. */
  prepare(): void {
    for (const phrase of this.fillers?.all ?? [])
      void this.soundOf(phrase).catch((error: unknown) => this.host.onError(error));
  }

  /** The words choose the filler; the wait begins with `answerIsDue`. */
  customerFinished(words: string): void {
    this.delay.customerFinished(words);
  }

  answerIsDue(): void {
    this.delay.begin();
  }

  /** The answer has come, or is due no more. */
  stop(): void {
    this.delay.end();
  }

  private async say(phrase: string | null): Promise<void> {
    if (phrase === null) return;
    try {
      const samples = await this.soundOf(phrase);
      if (!samples?.length || !this.host.isSilent()) return;
      const startedAtMs = performance.now();
      const onOver = () =>
        this.host.onSaid({ text: phrase, startedAtMs, endedAtMs: performance.now(), interrupted: false });
      this.host.play(samples, onOver);
    } catch (error) {
      this.host.onError(error);
    }
  }

  private async soundOf(phrase: string): Promise<Int16Array | null> {
    const tts = await this.speech.phraseVoice();
    if (!tts) return null;
    const name = nameOfVoice(this.voice, this.voice.languages[0]?.locale);
    return phraseSound(tts, name, phrase, this.host.lineRateHz());
  }
}
