import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import type { CallAudio } from '@prosa/audio';
import type { CallMedia } from '../../providers/telephony/call/call-line.js';
import type { Announcer, AnnouncerSetup, OpenAnnouncer } from './announcements/announcer.js';
import { TextAnnouncer } from './announcements/text-announcer.js';
import type { AssistantSessionFactory } from './session/assistant-session.js';

/** Lets a caller and a far end hear each other until the signal fires. */
export type JoinLines = (caller: CallAudio, farEnd: CallAudio, signal: AbortSignal) => Promise<void>;

/** Provides session factories by media. The voice role registers the one for audio at start. */
export class SessionFactories {
  private onAudio: AssistantSessionFactory | null = null;
  private openAnnouncer: OpenAnnouncer | null = null;
  private joinLines: JoinLines | null = null;

  /** Whether calls in audio can be run in this process. */
  get canSpeak(): boolean {
    return this.onAudio !== null;
  }

  speakWith(factory: AssistantSessionFactory, openAnnouncer: OpenAnnouncer, joinLines: JoinLines): void {
    this.onAudio = factory;
    this.openAnnouncer = openAnnouncer;
    this.joinLines = joinLines;
  }

  /**
   * Says fixed words on an answered call.
   *
   * @throws CallCarrierError `not-supported` for audio in a process that cannot speak, or when the line cannot be used
   * @throws SpeechUnavailableError where there is no voice
   */
  async announcer(setup: AnnouncerSetup): Promise<Announcer> {
    if ('text' in setup.media) return new TextAnnouncer(setup.media.text, setup);
    if (!this.openAnnouncer) throw new CallCarrierError('not-supported', 'no');
    return this.openAnnouncer(setup);
  }

  /**
   * Joins two answered lines without an assistant.
   *
   * @throws CallCarrierError `not-supported` in a process that cannot speak
   */
  async join(caller: CallAudio, farEnd: CallAudio, signal: AbortSignal): Promise<void> {
    if (!this.joinLines) throw new CallCarrierError('not-supported', 'no');
    await this.joinLines(caller, farEnd, signal);
  }

  /**
   * The factory for a line.
   *
   * @param onText makes the sessions on text
   * @throws CallCarrierError `not-supported` for audio in a process that cannot speak
   */
  on(media: CallMedia, onText: () => AssistantSessionFactory): AssistantSessionFactory {
    if ('text' in media) return onText();
    if (this.onAudio) return this.onAudio;
    throw new CallCarrierError('not-supported', 'no');
  }
}
