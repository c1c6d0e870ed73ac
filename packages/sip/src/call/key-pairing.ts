/** By which a key of the far end comes: in RTP (RFC 4733, or as a tone), or in an INFO. */
export type KeyPath = 'rtp' | 'info';

/** Exchanges that send a key both ways send it within this time. */
const PAIR_MS = 200;

/** Recognises a key that comes by both paths as one press. Two that come by one path are two presses. */
export class KeyPairing {
  private unpaired: { readonly key: string; readonly path: KeyPath; readonly atMs: number }[] = [];

  /** @returns whether the key is a press of its own */
  accept(key: string, path: KeyPath, nowMs: number): boolean {
    this.unpaired = this.unpaired.filter(({ atMs }) => nowMs - atMs <= PAIR_MS);
    const index = this.unpaired.findIndex((other) => other.key === key && other.path !== path);
    if (index >= 0) {
      this.unpaired.splice(index, 1);
      return false;
    }
    this.unpaired.push({ key, path, atMs: nowMs });
    return true;
  }
}
