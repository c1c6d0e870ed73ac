import { BeepDetector, type Tone } from '../../common/audio/beep-detector.js';
import { FRAME_MS } from '@prosa/audio';

/** 160 ms: a vowel may be one tone for less. */
const BEEP_FRAMES = 8;
const LONGEST_BEEP_MS = 2_000;
/** Sooner than a loud sound counts as speech. */
const NO_SPEECH_MS = 60;
/** Ringing, busy and waiting tones of most countries: heard from an exchange that connects a person, too. */
const NETWORK_HZ = { least: 390, most: 465 };
/** The answer of a fax machine or modem (ITU-T V.25): 2.6 to 4 s. */
const FAX = { leastHz: 2_080, mostHz: 2_120, leastMs: 1_800 };
/** Three rising tones before an announcement of the network (ITU-T E.180, special information tone), 274 or 380 ms each. */
const INFORMATION_HZ = [
  { least: 890, most: 1_010 },
  { least: 1_340, most: 1_460 },
  { least: 1_740, most: 1_830 },
];
const LONGEST_INFORMATION_MS = 450;
/** From the end of one to the end of the next one. */
const INFORMATION_STEP_MS = 600;

/** `beep`: of a machine; `network`: a beep by its length, of a pitch that networks use; `fax`, `information`: no person at all. */
export type ToneKind = 'beep' | 'network' | 'fax' | 'information';

/** Tells the tones apart that machines and networks send. */
export class MachineTones {
  private readonly detector: BeepDetector;
  private elapsedMs = 0;
  private step = 0;
  private stepAtMs = 0;

  constructor(sampleRateHz: number) {
    this.detector = new BeepDetector(sampleRateHz, BEEP_FRAMES);
  }

  /** Whether the frame that was heard last is part of a tone, and of no speech. */
  get isTone(): boolean {
    return this.detector.toneMs >= NO_SPEECH_MS;
  }

  /** @returns what has just ended */
  hear(frame: Int16Array): ToneKind | null {
    this.elapsedMs += FRAME_MS;
    const tone = this.detector.hear(frame) ? this.detector.last : null;
    if (!tone) return null;
    if (this.isLastInformation(tone)) return 'information';
    const { hz, durationMs } = tone;
    if (hz >= FAX.leastHz && hz <= FAX.mostHz && durationMs >= FAX.leastMs) return 'fax';
    if (durationMs > LONGEST_BEEP_MS) return null;
    return hz >= NETWORK_HZ.least && hz <= NETWORK_HZ.most ? 'network' : 'beep';
  }

  private isLastInformation({ hz, durationMs }: Tone): boolean {
    const isNext = (step: number) => {
      const band = INFORMATION_HZ[step];
      return (
        band !== undefined && hz >= band.least && hz <= band.most && durationMs <= LONGEST_INFORMATION_MS
      );
    };
    const isInTime = this.step > 0 && this.elapsedMs - this.stepAtMs <= INFORMATION_STEP_MS;
    this.step = isInTime && isNext(this.step) ? this.step + 1 : isNext(0) ? 1 : 0;
    this.stepAtMs = this.elapsedMs;
    return this.step === INFORMATION_HZ.length;
  }
}
