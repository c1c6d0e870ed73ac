import type { HeardVoice } from '../../providers/speech/speech-options.js';
import type { VoiceRef } from '../../runtime/call/settings/voice-settings.js';
import type { SpokenVoice } from '../../runtime/call/session/session-facts.js';

/** Which voice is heard on one call. First words are rendered while it rings, before anyone listens: the last voice is kept. */
export class HeardVoices {
  private last: SpokenVoice | null = null;
  private listener: ((voice: SpokenVoice) => void) | null = null;

  /** @param wanted the voice of the assistant */
  note(heard: HeardVoice, { provider, code }: VoiceRef): void {
    const { last } = this;
    const isSame =
      last?.provider === heard.provider &&
      last.code === heard.code &&
      last.wanted.provider === provider &&
      last.wanted.code === code;
    if (isSame) return;
    this.last = { ...heard, wanted: { provider, code } };
    this.listener?.(this.last);
  }

  /** @param listener hears of the voice that was heard last, and of each change */
  listen(listener: (voice: SpokenVoice) => void): void {
    this.listener = listener;
    if (this.last) listener(this.last);
  }
}
