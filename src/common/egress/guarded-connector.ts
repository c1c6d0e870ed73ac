import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { EgressError } from './egress-error.js';
import { isForbiddenAddress } from './forbidden-address.js';
import type { LookupAll } from './host-lookup.js';

export interface GuardedConnectorOptions {
  allowCidrs: readonly string[];
  lookup: LookupAll;
  /** PEM of the certificate authorities to trust instead of Node's own list. */
  ca?: string;
}

/** A connection that takes longer is given up, even when the request itself may wait longer. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Node's 250 ms gives up on every address of a server further away than that when it has more than one. */
const NEXT_ADDRESS_AFTER_MS = 500;

/**
 * A connector for undici that refuses forbidden addresses at the moment of dialling. net dials exactly the addresses
 * of the look-up, so the checked address is the dialled one, with fallback between IPv4 and IPv6. TLS still verifies
 * the name. net never calls the look-up for literals, so those are checked before.
 */
export function guardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const { allowCidrs, ca } = options;
  const connect = buildConnector({
    lookup: checkedLookup(shareInFlight(options.lookup), allowCidrs),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
    ...(ca === undefined ? {} : { ca }),
  });
  return (target, callback) => {
    if (isIP(target.hostname) !== 0 && isForbiddenAddress(target.hostname, allowCidrs)) {
      process.nextTick(callback, forbidden(), null);
      return;
    }
    connect(target, callback);
  };
}

function checkedLookup(lookupAll: LookupAll, allowCidrs: readonly string[]): LookupFunction {
  // net asks for all addresses of a name, as long as it is to choose the family.
  return (hostname, _options, callback) => {
    resolveChecked(hostname, lookupAll, allowCidrs).then(
      (addresses) => process.nextTick(callback, null, addresses),
      (error: unknown) => process.nextTick(callback, error, []),
    );
  };
}

/**
 * The addresses of a host, every one of which connections may reach; a literal address is its own.
 *
 * @throws EgressError `forbidden-address` or `dns`
 */
export async function resolveChecked(
  hostname: string,
  lookupAll: LookupAll,
  allowCidrs: readonly string[],
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const literal = isIP(hostname) === 0 ? null : [{ address: hostname }];
  const answers =
    literal ??
    (await lookupAll(hostname).catch((cause: unknown) => {
      throw new EgressError('dns', 'The host name could not be resolved.', { cause });
    }));
  // One bad address condemns the name: a mixed answer is how a rebinding attack begins.
  if (answers.some(({ address }) => isForbiddenAddress(address, allowCidrs))) throw forbidden();
  const [first, ...rest] = answers.map(({ address }) => ({ address, family: isIP(address) }));
  if (first === undefined) throw new EgressError('dns', 'The host name has no address.');
  return [first, ...rest];
}

/** One look-up per name at a time, however many connections are waiting for it. */
function shareInFlight(lookupAll: LookupAll): LookupAll {
  const inFlight = new Map<string, ReturnType<LookupAll>>();
  return (hostname) => {
    const running = inFlight.get(hostname);
    if (running) return running;
    const started = Promise.resolve(hostname)
      .then(lookupAll)
      .finally(() => inFlight.delete(hostname));
    inFlight.set(hostname, started);
    return started;
  };
}

function forbidden(): EgressError {
  return new EgressError(
    'forbidden-address',
    'This address is not allowed: it is local, private or reserved.',
  );
}
