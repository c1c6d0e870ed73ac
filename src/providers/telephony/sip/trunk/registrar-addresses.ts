import type { CancelTimer, Clock } from '../../../../common/time/clock.js';
import type { SipResolver } from '../transport/sip-resolver.js';
import type { SipTrunk } from './sip-trunk.js';

const AGAIN_MS = 120_000;

/**
 * Knows where the calls of a registrar come from in a process that has not registered there itself: from the addresses of
 * the trunk's host.
 */
export class RegistrarAddresses {
  private cancel: CancelTimer = () => {};
  private stopped = false;

  constructor(
    private readonly trunk: SipTrunk,
    private readonly resolver: SipResolver,
    private readonly clock: Clock,
    private readonly onAddresses: (addresses: readonly string[]) => void,
  ) {}

  start(): void {
    void this.ask();
  }

  stop(): void {
    this.stopped = true;
    this.cancel();
  }

  /** What was known stays where the name is not found for a while. */
  private async ask(): Promise<void> {
    const found = await this.resolver.resolve(this.trunk.target).catch(() => []);
    if (this.stopped) return;
    if (found.length > 0) this.onAddresses(found.map(({ address }) => address));
    this.cancel = this.clock.after(AGAIN_MS, () => void this.ask());
  }
}
