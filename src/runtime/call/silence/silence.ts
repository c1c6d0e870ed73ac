import type { CallSettings } from '../settings/call-settings.js';

type SilenceSettings = Pick<
  CallSettings,
  'maxSilenceMs' | 'maxInitialSilenceMs' | 'reengagementIntervalMs' | 'reengagementPrompt'
>;

/**
 * How long the customer has been silent while the assistant was listening. Time in which the assistant speaks, thinks,
 * waits for a tool or transfers the call is not passed to it, so it does not count.
 */
export class Silence {
  private heardAnything = false;
  private silentMs = 0;
  private sinceReengagementMs = 0;

  constructor(private readonly settings: SilenceSettings) {}

  /** The customer has spoken, or pressed a key. */
  break(): void {
    this.heardAnything = true;
    this.restart();
  }

  /** The customer was away and is back. They have not said anything by that. */
  restart(): void {
    this.silentMs = 0;
    this.sinceReengagementMs = 0;
  }

  pass(ms: number): void {
    this.silentMs += ms;
    this.sinceReengagementMs += ms;
  }

  /** The assistant has spoken into the silence, which continues. */
  reengaged(): void {
    this.sinceReengagementMs = 0;
  }

  /** What is to be done now. The end wins over another re-engagement. */
  get due(): 'end' | 'reengage' | null {
    if (this.untilEndMs <= 0) return 'end';
    return this.untilReengagementMs <= 0 ? 'reengage' : null;
  }

  /** Until something may be due. */
  get remainingMs(): number {
    return Math.max(Math.min(this.untilEndMs, this.untilReengagementMs), 0);
  }

  private get untilEndMs(): number {
    const { maxSilenceMs, maxInitialSilenceMs } = this.settings;
    const limitMs =
      this.heardAnything || maxInitialSilenceMs === null
        ? maxSilenceMs
        : Math.min(maxSilenceMs, maxInitialSilenceMs);
    return limitMs - this.silentMs;
  }

  private get untilReengagementMs(): number {
    const { reengagementPrompt, reengagementIntervalMs } = this.settings;
    return reengagementPrompt === null ? Infinity : reengagementIntervalMs - this.sinceReengagementMs;
  }
}
