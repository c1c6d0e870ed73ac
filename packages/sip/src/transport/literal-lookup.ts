import { lookup, type LookupOneOptions } from 'node:dns';
import { isIP } from 'node:net';

type Found = (error: NodeJS.ErrnoException | null, address: string, family: number) => void;

/**
 * For sockets of datagrams: an address needs no resolver. Node's own answers in a later turn also for those, so that a packet
 * would leave some time after its sender has looked whether it may.
 */
export function literalLookup(hostname: string, options: LookupOneOptions, found: Found): void {
  const family = isIP(hostname);
  if (family === 0) lookup(hostname, options, found);
  else found(null, hostname, family);
}
