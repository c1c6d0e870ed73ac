/** Where RTP comes from, or goes to. */
export interface RtpAddress {
  readonly address: string;
  readonly port: number;
}

/** After so long without a packet of the source, another port of the same peer may take its place: NAT has moved it. */
const SILENT_MS = 2_000;
/** A packet every 10 ms would be 100; what is beyond that is a flood. */
const MOST_PACKETS_PER_SECOND = 400;

/**
 * Decides whose packets are heard (RFC 7362 calls it latching). Of an unencrypted stream only the negotiated address,
 * or the one signalling comes from, is heard. Any other sender could speak in the customer's name. Within that
 * address the port may differ, as NAT changes it. An encrypted stream is known by its key, so the first packet that
 * proves it decides.
 */
export class RtpSourceFilter {
  private allowed: ReadonlySet<string> = new Set();
  private negotiated: RtpAddress | null = null;
  private latched: RtpAddress | null = null;
  private heardAtMs = -Infinity;
  private windowStartMs = -Infinity;
  private inWindow = 0;

  /** @param signallingAddress where the call's SIP messages come from; null where that says nothing */
  expect(negotiated: RtpAddress, signallingAddress: string | null): void {
    const isSame =
      this.negotiated?.address === negotiated.address && this.negotiated.port === negotiated.port;
    this.negotiated = negotiated;
    this.allowed = new Set(
      signallingAddress === null ? [negotiated.address] : [negotiated.address, signallingAddress],
    );
    if (!isSame) this.latched = null;
  }

  /** Where to send: the peer as it was heard, before that as negotiated. */
  get destination(): RtpAddress | null {
    return this.latched ?? this.negotiated;
  }

  /** Looks at a packet before anything is done with it. Does not change what is latched. */
  admits(from: RtpAddress, nowMs: number, isEncrypted: boolean): boolean {
    if (this.negotiated === null) return false;
    if (nowMs - this.windowStartMs >= 1_000) {
      this.windowStartMs = nowMs;
      this.inWindow = 0;
    }
    const isLatched = this.latched?.address === from.address && this.latched.port === from.port;
    // Who sends from the very address that was agreed on may always take its place.
    const isNegotiated = this.negotiated.address === from.address && this.negotiated.port === from.port;
    if (!isLatched && !isNegotiated) {
      if (!isEncrypted && !this.allowed.has(from.address)) return false;
      if (this.latched && nowMs - this.heardAtMs < SILENT_MS) return false;
    }
    return ++this.inWindow <= MOST_PACKETS_PER_SECOND;
  }

  /** Whether this comes from the peer's address, as it was heard or negotiated. RTCP may have another port. */
  isPeer({ address }: RtpAddress): boolean {
    return this.latched?.address === address || this.allowed.has(address);
  }

  /** The packet was good: from now on this is the peer. */
  accept(from: RtpAddress, nowMs: number): void {
    this.latched = from;
    this.heardAtMs = nowMs;
  }
}
