import type { Clock } from '../../../common/time/clock.js';
import { fillSpoken } from '../../spoken-text.js';
import type { Variables } from '../../variables.js';
import type { AssistantSession } from '../session/assistant-session.js';
import type { TranscriptTurn } from '../session/call-setup.js';
import type { MonitoringAnnouncement } from '../settings/call-settings.js';

const TONE_INTERVAL_MS = 15_000;

/** Notifies the customer that people listen: by words before the first of them hears the call, and by a tone as long as they listen. */
export class MonitoringNotice {
  private readonly text: string;
  private readonly hasTone: boolean;
  private readonly started: Promise<AssistantSession | null>;
  private start: (session: AssistantSession | null) => void = () => {};
  private announced: Promise<boolean> | null = null;
  private cancelTone: (() => void) | null = null;

  /** @param turns of the call so far: another process may have notified the customer */
  constructor(
    announcement: MonitoringAnnouncement | null,
    variables: Variables,
    private readonly clock: Clock,
    private readonly turns: () => readonly TranscriptTurn[],
  ) {
    this.text = announcement === null ? '' : fillSpoken(announcement.text, variables).trim();
    this.hasTone = announcement?.tone ?? false;
    this.started = new Promise((resolve) => (this.start = resolve));
  }

  /** From now on words can be said. */
  begin(session: AssistantSession): void {
    this.start(session);
  }

  /** The call is over. */
  close(): void {
    this.start(null);
    this.cancelTone?.();
    this.cancelTone = null;
  }

  /**
   * Notifies the customer, unless that was done. The tone repeats as long as there are listeners.
   *
   * @returns false when the customer was not notified because the call is over
   * @throws the error of the voice, or of the line; the next call tries again
   */
  async announce(hasListeners: () => boolean): Promise<boolean> {
    const session = await this.started;
    if (!session) return false;
    this.announced ??= this.notify(session);
    try {
      if (!(await this.announced)) return false;
    } catch (error) {
      this.announced = null;
      throw error;
    }
    if (this.hasTone && !this.cancelTone) this.repeatTone(session, hasListeners);
    return true;
  }

  /** What was said so far for a model, which does not read the announcement. */
  without(turns: readonly TranscriptTurn[]): readonly TranscriptTurn[] {
    return turns.filter((turn) => !this.isNotice(turn));
  }

  private isNotice({ speaker, text }: TranscriptTurn): boolean {
    return speaker === 'assistant' && text === this.text;
  }

  private async notify(session: AssistantSession): Promise<boolean> {
    const { text } = this;
    if (text === '' || this.turns().some((turn) => this.isNotice(turn))) return true;
    return session.announce(text);
  }

  private repeatTone(session: AssistantSession, hasListeners: () => boolean): void {
    this.cancelTone = this.clock.after(TONE_INTERVAL_MS, () => {
      this.cancelTone = null;
      if (!hasListeners()) return;
      session.signalListener();
      this.repeatTone(session, hasListeners);
    });
  }
}
