import { lookup, promises as dns } from 'node:dns';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';
import { KeyedQueue } from '../concurrency/keyed-queue.js';
import { Deadline } from '../time/deadline.js';
import { HostsFile } from './hosts-file.js';

interface Address {
  readonly address: string;
}

/** Every address of a host name. */
export type LookupAll = (hostname: string) => Promise<readonly Address[]>;

export interface HostLookupOptions {
  /** Name servers, as `127.0.0.1:53`; those of the machine by default. */
  readonly servers?: readonly string[];
  readonly hostsFile?: HostsFile;
  /** What the machine itself makes of a name. It holds one of few threads until it ends. */
  readonly machineLookup?: LookupAll;
  /** Whether addresses of IPv6 come first. */
  readonly prefersIPv6?: () => boolean;
  /** Of one look-up, with all its attempts. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
/** A name server that has not answered by then is asked again, or the next one; each round waits twice as long. */
const TRY_MS = 2_000;
const TRIES = 3;

/**
 * Errors that leave open whether the machine knows the name otherwise: it may have search domains, as in Kubernetes, or
 * sources that are no name servers. A name server that is silent or broken is no such error: the machine would ask it too.
 */
const KNOWN_OTHERWISE: ReadonlySet<unknown> = new Set([dns.NOTFOUND, dns.NODATA, dns.CONNREFUSED]);

/** An address that the internet reaches, of the only block of them. */
const PUBLIC_IPV6 = /^[23][\da-f]{3}:/i;

const promisedLookup = promisify(lookup);

/**
 * Finds addresses of host names that anybody may have chosen. Names of the internet are resolved by the name servers
 * on the event loop, where an unanswered request costs a socket for some seconds. The system's resolver (getaddrinfo)
 * also knows `/etc/hosts`, containers and search domains. It occupies one of the two threads that the process has for
 * it, and cannot be cancelled. It serves names that no foreign server answers, and names that the name servers do not
 * know, one of each at a time.
 */
export class HostLookup {
  private readonly machine = new KeyedQueue<'own names' | 'unknown names'>();

  constructor(private readonly options: HostLookupOptions = {}) {}

  /** @throws an error of `node:dns`, or one that says that the time is over */
  readonly lookup: LookupAll = async (hostname) => {
    const { timeoutMs = TIMEOUT_MS } = this.options;
    const deadline = new Deadline(
      timeoutMs,
      undefined,
      () => new Error('the name servers did not answer in time'),
    );
    try {
      return await deadline.race(this.find(hostname, deadline.signal));
    } finally {
      deadline.close();
    }
  };

  private async find(hostname: string, signal: AbortSignal): Promise<readonly Address[]> {
    const { hostsFile = HostsFile.ofMachine } = this.options;
    if (!hostname.includes('.') || (await hostsFile.has(hostname))) {
      return this.askMachine('own names', hostname, signal);
    }
    try {
      return await this.askServers(hostname, signal);
    } catch (error) {
      if (!KNOWN_OTHERWISE.has(codeOf(error))) throw error;
      return this.askMachine('unknown names', hostname, signal);
    }
  }

  private askMachine(
    kind: 'own names' | 'unknown names',
    hostname: string,
    signal: AbortSignal,
  ): Promise<readonly Address[]> {
    const { machineLookup = lookupByMachine } = this.options;
    return this.machine.run(kind, async () => {
      // The look-up is no longer awaited.
      signal.throwIfAborted();
      return machineLookup(hostname);
    });
  }

  /** A name has addresses when it has those of one family. */
  private async askServers(hostname: string, signal: AbortSignal): Promise<readonly Address[]> {
    const { servers, prefersIPv6 = hasPublicIPv6 } = this.options;
    // One for each look-up: to cancel is to cancel all that a resolver is asked. It reads the machine's settings anew.
    const resolver = new dns.Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    signal.addEventListener('abort', () => resolver.cancel(), { once: true });
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const answers = prefersIPv6() ? [ipv6, ipv4] : [ipv4, ipv6];
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses.map((address) => ({ address }));
    const errors: unknown[] = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason] : [],
    );
    throw errors.find((error) => !KNOWN_OTHERWISE.has(codeOf(error))) ?? errors[0];
  }
}

/** The addresses of a name for this process, which bounds what all of its look-ups hold. */
export const systemLookup: LookupAll = new HostLookup().lookup;

const lookupByMachine: LookupAll = (hostname) => promisedLookup(hostname, { all: true, verbatim: true });

/** Where it has none, connections by IPv6 would lead nowhere, and each would be waited for first. */
function hasPublicIPv6(): boolean {
  try {
    return Object.values(networkInterfaces()).some((addresses) =>
      addresses?.some(({ address, internal }) => !internal && PUBLIC_IPV6.test(address)),
    );
  } catch {
    // A hardened service may not list its interfaces.
    return false;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
