import type { ClientMessage, ServerMessage } from './web-call-protocol.js';

/** What comes from a customer. */
export interface WebCallConnectionListener {
  /** @param samples 24 kHz mono; null: it cannot be sound */
  onSound(samples: Int16Array | null): void;
  /** @param message null: it is no message of the protocol */
  onMessage(message: ClientMessage | null): void;
  /** The customer is gone. @param isOver on purpose: does not come back */
  onClosed(isOver: boolean): void;
}

/** A customer's connection to a web call, over any transport. */
export interface WebCallConnection {
  /** The transport reports its own breaks; otherwise a connection without incoming data counts as broken. */
  readonly noticesBreaks: boolean;
  /** Tells from now on what comes. */
  listen(listener: WebCallConnectionListener): void;
  /** Sends one frame of 24 kHz mono. Returns false when the far end does not take what was sent before. */
  send(frame: Int16Array): boolean;
  /** Drops what was sent and not played, as far as it can. */
  clear(): void;
  /** Does nothing once the connection is closed. */
  sendMessage(message: ServerMessage): void;
  /** @param code one of `CLOSE` */
  close(code: number): void;
}
