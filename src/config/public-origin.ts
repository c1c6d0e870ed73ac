import type { ServerConfig } from './config.js';

/** Where people reach this server, as far as it knows, without a slash at the end. @param port the one that is bound */
export function publicOriginOf({ publicUrl, host, port: named }: ServerConfig, port = named): string {
  return publicUrl ?? `http://${host === '0.0.0.0' ? 'localhost' : host}:${port}`;
}
