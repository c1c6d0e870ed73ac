import type { CancelTimer, Clock } from '../../../common/time/clock.js';
import type { KeypadSettings } from '../settings/call-settings.js';

/** Enough for any account or card number; a key that is held down fills no memory. */
const MAX_DIGITS = 64;

/** Gathers keys until the stop key, or until none has been pressed for a while. */
export class Keypad {
  private digits = '';
  private cancelTimer: CancelTimer = () => {};

  /** @param onEntry gets what was entered, never empty, without the stop key */
  constructor(
    private readonly settings: KeypadSettings,
    private readonly clock: Clock,
    private readonly onEntry: (digits: string) => void,
  ) {}

  /** Whether the customer is entering something. */
  get isOpen(): boolean {
    return this.digits !== '';
  }

  press(digits: string): void {
    for (const digit of digits) {
      if (digit === this.settings.stopKey) this.complete();
      else if (this.digits.length < MAX_DIGITS) this.digits += digit;
    }
    this.cancelTimer();
    if (this.isOpen) this.cancelTimer = this.clock.after(this.settings.timeoutMs, () => this.complete());
  }

  close(): void {
    this.cancelTimer();
    this.digits = '';
  }

  private complete(): void {
    const entry = this.digits;
    this.close();
    if (entry !== '') this.onEntry(entry);
  }
}
