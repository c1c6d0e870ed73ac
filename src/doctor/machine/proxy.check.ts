import type { ServerConfig } from '../../config/config.js';
import { isLoopbackHost } from '../../config/loopback-host.js';
import { type Check, type Finding, ok, warning } from '../check.js';

/** Whether the limits for each address see the addresses of clients. */
export class ProxyCheck implements Check {
  readonly name = 'proxy';

  constructor(private readonly server: Pick<ServerConfig, 'publicUrl' | 'trustProxy'>) {}

  run(): Promise<readonly Finding[]> {
    return Promise.resolve([this.finding()]);
  }

  private finding(): Finding {
    const { publicUrl, trustProxy } = this.server;
    const isEncrypted = publicUrl !== undefined && isPublicHttps(new URL(publicUrl));
    if (trustProxy === 0 && isEncrypted) {
      return warning(
        'PUBLIC_URL begins with https, so a proxy is in front, and TRUST_PROXY is 0: all clients share the limits of one ' +
          'address. Set TRUST_PROXY to the number of proxies.',
      );
    }
    if (trustProxy > 0 && publicUrl === undefined) {
      return warning(
        `TRUST_PROXY is ${trustProxy} and PUBLIC_URL is empty: set PUBLIC_URL to the address of the proxy, or TRUST_PROXY to 0 ` +
          'where clients reach Prosa directly, because they could name any address.',
      );
    }
    return ok(
      trustProxy === 0
        ? 'Clients are known by the address of their connection.'
        : `Clients are known by X-Forwarded-For of ${trustProxy} proxies.`,
    );
  }
}

/** Prosa itself serves no TLS. */
function isPublicHttps(url: URL): boolean {
  return url.protocol === 'https:' && !isLoopbackHost(url);
}
