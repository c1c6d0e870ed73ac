import { lookup, type LookupOneOptions } from 'node:dns';
import { isIP } from 'node:net';

type Found = (error: NodeJS.ErrnoException | null, address: string, family: number) => void;

/**
 * For sockets of datagrams: an address needs no resolver. Node's own look-up answers in a later turn even then. A
 * packet would thus leave some time after its sender has checked whether it may.
 */
export function literalLookup(hostname: string, options: LookupOneOptions, found: Found): void {
  const family = isIP(hostname);
  if (family === 0) lookup(hostname, options, found);
  else found(null, hostname, family);
}
