import { Client } from 'pg';

/**
 * A connection whose loss ends no process. Pools take their listener away from a connection they lend, and the borrower
 * adds its own a moment later; a server that answers one query and dies says both in one packet, and the loss would find
 * nobody. Whoever works with the connection hears of the loss from its next query.
 */
export class WatchedClient extends Client {
  constructor(config?: ConstructorParameters<typeof Client>[0]) {
    super(config);
    this.on('error', () => undefined);
  }
}
