import { type AudioBuffer, normalizeLanguage, stt } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { joined } from '../sound-frames.js';
import { toRate } from '../to-rate.js';
import { FEATURES_RATE_HZ } from './phrase-features.js';
import type { PhraseBook } from './phrase-book.js';

/** The sandbox's ears: whole utterances in, a known line or nothing out. */
export class PhraseBookRecognizer extends stt.STT {
  readonly label = 'prosa.PhraseBookRecognizer';

  constructor(private readonly book: PhraseBook) {
    super({ streaming: false, interimResults: false });
    this.on('error', () => {});
  }

  override get provider(): string {
    return 'sandbox';
  }

  override get model(): string {
    return 'phrase-book';
  }

  stream(): stt.SpeechStream {
    throw new Error('The phrase book wants whole utterances: see capabilities.streaming');
  }

  protected async _recognize(buffer: AudioBuffer): Promise<stt.SpeechEvent> {
    const frame = joined([buffer].flat());
    const line = await this.book.recognise(toTelephoneRate(frame));
    return {
      type: stt.SpeechEventType.FINAL_TRANSCRIPT,
      alternatives: [
        {
          text: line?.text ?? '',
          language: normalizeLanguage(line?.language ?? ''),
          startTime: 0,
          endTime: frame.samplesPerChannel / frame.sampleRate,
          confidence: line ? 1 - line.distance / 2 : 0,
        },
      ],
    };
  }
}

/** Mono PCM16 at the rate that features are made of. */
export function toTelephoneRate(frame: AudioFrame): Int16Array {
  return toRate(frame.data, frame.sampleRate, FEATURES_RATE_HZ);
}
