import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import type { CallMedia } from '../../providers/telephony/call-carrier.js';
import type { TalkFactory } from './talk.js';

/** Makes the talks on lines of audio, where this process can speak; whoever brings the voice sets it at start. */
export class CallTalks {
  private onAudio: TalkFactory | null = null;

  /** Whether calls in audio can be talked on in this process. */
  get canSpeak(): boolean {
    return this.onAudio !== null;
  }

  speakWith(factory: TalkFactory): void {
    this.onAudio = factory;
  }

  /**
   * The factory for a line.
   *
   * @param onText makes the talks on text
   * @throws CallCarrierError `not-supported` for audio in a process that cannot speak
   */
  on(media: CallMedia, onText: () => TalkFactory): TalkFactory {
    if ('text' in media) return onText();
    if (this.onAudio) return this.onAudio;
    throw new CallCarrierError('not-supported', 'no');
  }
}
