import type { TextLine } from '../../../providers/telephony/call/call-line.js';
import type { Announcer, AnnouncerSetup, Phrase } from './announcer.js';

/** Says words where nothing but words goes over the line. */
export class TextAnnouncer implements Announcer {
  private stop: () => void = () => {};

  constructor(
    private readonly line: TextLine,
    private readonly setup: Pick<AnnouncerSetup, 'callId' | 'clock' | 'signal'>,
  ) {}

  async say(phrases: readonly Phrase[]): Promise<void> {
    const { callId, signal } = this.setup;
    if (signal.aborted) return;
    const { durationMs } = await this.line.say(callId, phrases.map(({ text }) => text).join(' '));
    await this.wait(durationMs);
  }

  /** Words alone go over the line. */
  async playMusic(): Promise<void> {}

  cut(): void {
    this.stop();
  }

  async close(): Promise<void> {
    this.stop();
  }

  private wait(durationMs: number): Promise<void> {
    const { clock, signal } = this.setup;
    return new Promise((resolve) => {
      const over = () => {
        cancel();
        signal.removeEventListener('abort', over);
        resolve();
      };
      const cancel = clock.after(durationMs, over);
      this.stop = over;
      signal.addEventListener('abort', over);
      if (signal.aborted) over();
    });
  }
}
