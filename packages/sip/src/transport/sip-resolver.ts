import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import { defaultPort, endpointKey, type SipEndpoint, type TransportProtocol } from './sip-endpoint.js';

/** Where a request goes to: the host of a URI with what the URI says of port and transport. */
export interface SipTargetName {
  /** A name or a literal address, without brackets. */
  readonly host: string;
  readonly port: number | null;
  /** Null: as DNS says, else UDP. */
  readonly protocol: TransportProtocol | null;
  /** A `sips:` URI: nothing but TLS will do. */
  readonly secure?: boolean;
}

export interface NaptrRecord {
  readonly order: number;
  readonly preference: number;
  readonly flags: string;
  readonly service: string;
  readonly replacement: string;
}

export interface SrvRecord {
  readonly priority: number;
  readonly weight: number;
  readonly port: number;
  readonly name: string;
}

/** The questions put to DNS. Each answers an empty list where there is no such record. */
export interface SipDns {
  naptr(name: string): Promise<readonly NaptrRecord[]>;
  srv(name: string): Promise<readonly SrvRecord[]>;
  addresses(name: string): Promise<readonly string[]>;
}

/** Finds the addresses of a host name. One silent name server must not delay the look-up of another name. */
export type HostLookup = (name: string) => Promise<readonly { readonly address: string }[]>;

/** No address may be sent to: none was found, or none is permitted. */
export class SipResolutionError extends Error {
  constructor(
    readonly host: string,
    readonly reason: 'not-found' | 'forbidden',
  ) {
    super(
      `The SIP host ${host} ${reason === 'forbidden' ? 'leads to a forbidden address' : 'has no address'}.`,
    );
    this.name = 'SipResolutionError';
  }
}

const SERVICES: Readonly<Record<string, TransportProtocol>> = {
  'sips+d2t': 'tls',
  'sip+d2t': 'tcp',
  'sip+d2u': 'udp',
};

const SRV_PREFIX: Readonly<Record<TransportProtocol, string>> = {
  udp: '_sip._udp.',
  tcp: '_sip._tcp.',
  tls: '_sips._tcp.',
};

/** Of one name; a list that long is no configuration but an attack. */
const MOST_ENDPOINTS = 16;
const CACHE_MS = 60_000;
/** A server that did not answer is tried last for so long. */
const AVOIDED_MS = 30_000;

export interface SipResolverOptions {
  /** In order of preference, what we have sockets for. */
  readonly protocols: readonly TransportProtocol[];
  readonly dns?: SipDns;
  /** Whether an address may be sent to; checked on what is dialled, not on the name. */
  readonly isPermitted?: (address: string) => boolean;
  readonly random?: () => number;
}

/** Finds the servers of a SIP host in the order they are to be tried: RFC 3263 with NAPTR, SRV and addresses. */
export class SipResolver {
  private readonly cache = new LRUCache<string, readonly SipEndpoint[]>({ max: 500, ttl: CACHE_MS });
  private readonly avoided = new LRUCache<string, true>({ max: 500, ttl: AVOIDED_MS });
  private readonly dns: SipDns;
  private readonly random: () => number;

  constructor(private readonly options: SipResolverOptions) {
    this.dns = options.dns ?? systemDns();
    this.random = options.random ?? Math.random;
  }

  /** @throws SipResolutionError */
  async resolve(target: SipTargetName): Promise<readonly SipEndpoint[]> {
    const key = `${target.host}|${target.port ?? ''}|${target.protocol ?? ''}|${target.secure ?? ''}`;
    let found = this.cache.get(key);
    if (!found) {
      found = await this.lookUp(target);
      if (found.length === 0) throw new SipResolutionError(target.host, 'not-found');
      this.cache.set(key, found);
    }
    const permitted = found.filter(({ address }) => this.options.isPermitted?.(address) ?? true);
    if (permitted.length === 0) throw new SipResolutionError(target.host, 'forbidden');
    return this.inOrder(permitted);
  }

  /** Those that gave no answer a moment ago come last. */
  inOrder(endpoints: readonly SipEndpoint[]): readonly SipEndpoint[] {
    const isAvoided = (endpoint: SipEndpoint) => this.avoided.has(endpointKey(endpoint));
    return [...endpoints.filter((endpoint) => !isAvoided(endpoint)), ...endpoints.filter(isAvoided)];
  }

  /** A server gave no answer: others of its name come first for a while (RFC 3263 §4.3). */
  avoid(endpoint: SipEndpoint): void {
    this.avoided.set(endpointKey(endpoint), true);
  }

  private async lookUp(target: SipTargetName): Promise<readonly SipEndpoint[]> {
    const { host, port } = target;
    const protocol = target.secure ? 'tls' : target.protocol;
    if (isIP(host) !== 0) {
      const chosen = protocol ?? 'udp';
      return [{ protocol: chosen, address: host, port: port ?? defaultPort(chosen), serverName: host }];
    }
    // A port in the URI means: no NAPTR, no SRV (§4.1, §4.2).
    if (port !== null) return this.addressesOf(host, port, protocol ?? 'udp', host);
    const services = protocol
      ? [{ protocol, name: SRV_PREFIX[protocol] + host }]
      : await this.servicesOf(host);
    const endpoints: SipEndpoint[] = [];
    for (const service of services) {
      for (const record of weighted(await this.dns.srv(service.name), this.random)) {
        if (endpoints.length >= MOST_ENDPOINTS) return endpoints;
        endpoints.push(...(await this.addressesOf(record.name, record.port, service.protocol, host)));
      }
    }
    if (endpoints.length > 0) return endpoints.slice(0, MOST_ENDPOINTS);
    const chosen = protocol ?? 'udp';
    return this.addressesOf(host, defaultPort(chosen), chosen, host);
  }

  /** By NAPTR; without such records the SRV names of what we speak (§4.1). */
  private async servicesOf(host: string): Promise<{ protocol: TransportProtocol; name: string }[]> {
    const records = [...(await this.dns.naptr(host))].sort(
      (a, b) => a.order - b.order || a.preference - b.preference,
    );
    const services = records.flatMap((record) => {
      const protocol = SERVICES[record.service.toLowerCase()];
      const usable =
        protocol && record.flags.toLowerCase() === 's' && this.options.protocols.includes(protocol);
      return usable ? [{ protocol, name: record.replacement }] : [];
    });
    if (services.length > 0) return services;
    return this.options.protocols.map((protocol) => ({ protocol, name: SRV_PREFIX[protocol] + host }));
  }

  /** @param serverName what TLS checks: the name that was asked for, not the one DNS gave (RFC 5922 §4) */
  private async addressesOf(
    name: string,
    port: number,
    protocol: TransportProtocol,
    serverName: string,
  ): Promise<SipEndpoint[]> {
    const addresses = isIP(name) === 0 ? await this.dns.addresses(name) : [name];
    return addresses.slice(0, MOST_ENDPOINTS).map((address) => ({ protocol, address, port, serverName }));
  }
}

/** By priority; within one, at random by weight (RFC 2782). */
function weighted(records: readonly SrvRecord[], random: () => number): SrvRecord[] {
  const left = records.filter(({ name }) => name !== '' && name !== '.');
  const ordered: SrvRecord[] = [];
  for (const priority of [...new Set(left.map((record) => record.priority))].sort((a, b) => a - b)) {
    const group = left.filter((record) => record.priority === priority).sort((a, b) => a.weight - b.weight);
    while (group.length > 0) {
      let point = random() * group.reduce((sum, { weight }) => sum + weight, 0);
      const at = group.findIndex(({ weight }) => (point -= weight) <= 0);
      ordered.push(...group.splice(Math.max(at, 0), 1));
    }
  }
  return ordered;
}

const machineLookup: HostLookup = (name) => dns.lookup(name, { all: true });

/** Asks the name servers of the machine; `lookup` finds the addresses of a name. */
export function systemDns(lookup: HostLookup = machineLookup): SipDns {
  return {
    naptr: (name) => orNone(dns.resolveNaptr(name)),
    srv: (name) => orNone(dns.resolveSrv(name)),
    addresses: async (name) => (await orNone(lookup(name))).map(({ address }) => address),
  };
}

/** A name without such records is an answer; so is a server that gives none, as the next question may have one. */
async function orNone<Record>(question: Promise<readonly Record[]>): Promise<readonly Record[]> {
  try {
    return await question;
  } catch {
    return [];
  }
}
