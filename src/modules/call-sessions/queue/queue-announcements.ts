import type { Clock } from '../../../common/time/clock.js';
import type { Announcer } from '../../../runtime/call/announcements/announcer.js';
import { phrasesOf } from '../message-voices.service.js';
import { positionPhrase } from './queue-phrases.js';

/** From the beginning of one position to that of the next. */
const POSITION_EVERY_MS = 30_000;

interface Host {
  /** Opens the line of the call. */
  open(): Promise<Announcer>;
  readonly clock: Clock;
  readonly language: string;
  /** What is said first; null: nothing. */
  readonly message: string | null;
  /** Something cannot be heard; the caller waits all the same. */
  onError(error: unknown): void;
}

/** What the caller hears who waits: a message, music, and the position when it changes. */
export class QueueAnnouncements {
  private announcer: Announcer | null = null;
  /** Null until it is known. */
  private position: number | null = null;
  private said: number | null = null;
  private isPaused = true;
  private isClosed = false;
  private cancel: () => void = () => undefined;

  constructor(private readonly host: Host) {}

  /** Returns once the first words were heard, or cannot be. Never fails. */
  async start(): Promise<void> {
    const { host } = this;
    try {
      const announcer = await host.open();
      this.announcer = announcer;
      if (this.isClosed) return await announcer.close();
      await announcer.playMusic().catch((error: unknown) => host.onError(error));
      const message = host.message ? phrasesOf(host.message, host.language) : [];
      if (message.length > 0) await announcer.say(message);
    } catch (error) {
      if (!this.isClosed) host.onError(error);
    }
    this.isPaused = false;
    await this.sayPosition();
  }

  /** Tells the caller at the next time there is for it, where it has changed. */
  moveTo(position: number): void {
    this.position = position;
    void this.sayPosition();
  }

  /** Releases the line: nothing more is heard. Never fails. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.cancel();
    await this.announcer?.close().catch((error: unknown) => this.host.onError(error));
  }

  private async sayPosition(): Promise<void> {
    const { announcer, position, host } = this;
    if (!announcer || position === null || position === this.said) return;
    if (this.isPaused || this.isClosed) return;
    const phrase = positionPhrase(host.language, position);
    if (phrase === null) return;
    this.said = position;
    this.isPaused = true;
    this.cancel = host.clock.after(POSITION_EVERY_MS, () => {
      this.isPaused = false;
      void this.sayPosition();
    });
    try {
      await announcer.say([{ text: phrase }]);
    } catch (error) {
      if (!this.isClosed) host.onError(error);
    }
  }
}
