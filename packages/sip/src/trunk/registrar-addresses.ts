import type { CancelTimer, Clock } from '../clock.js';
import type { SipResolver } from '../transport/sip-resolver.js';
import type { SipTrunk } from './sip-trunk.js';

const AGAIN_MS = 120_000;

/** The addresses of the trunk's server and of its outbound proxy; none of a name that is not found. */
export async function serverAddressesOf(
  { target, outboundProxy }: SipTrunk,
  resolver: SipResolver,
): Promise<readonly string[]> {
  const servers = outboundProxy ? [target, outboundProxy] : [target];
  const found = await Promise.all(servers.map((server) => resolver.resolve(server).catch(() => [])));
  return found.flat().map(({ address }) => address);
}

/**
 * Knows where the calls of a registrar come from in a process that has not registered there itself: from the addresses of
 * the trunk's servers.
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
    const addresses = await serverAddressesOf(this.trunk, this.resolver);
    if (this.stopped) return;
    if (addresses.length > 0) this.onAddresses(addresses);
    this.cancel = this.clock.after(AGAIN_MS, () => void this.ask());
  }
}
