import type { RawData, WebSocket } from 'ws';
import type { WebCallConnection, WebCallConnectionListener } from './web-call-connection.js';
import {
  bytesOfSamples,
  clientMessageOf,
  CLOSE,
  samplesOf,
  type ServerMessage,
} from './web-call-protocol.js';

/** About four seconds of sound that the network does not take. */
const MAX_UNSENT_BYTES = 200_000;
const CLOSE_MS = 1_000;

/** A browser over a WebSocket: frames of sound as binary messages, the rest as text. */
export class WebSocketConnection implements WebCallConnection {
  readonly noticesBreaks = false;

  constructor(private readonly socket: WebSocket) {}

  listen(listener: WebCallConnectionListener): void {
    const { socket } = this;
    socket.on('message', (data, isBinary) => {
      const bytes = bufferOf(data);
      if (isBinary) listener.onSound(samplesOf(bytes));
      else listener.onMessage(clientMessageOf(bytes));
    });
    socket.on('error', () => socket.terminate());
    // A page that was closed on purpose says so.
    socket.on('close', (code) => listener.onClosed(code === CLOSE.over));
  }

  send(frame: Int16Array): boolean {
    const { socket } = this;
    if (socket.readyState !== socket.OPEN) return true;
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) return false;
    socket.send(bytesOfSamples(frame));
    return true;
  }

  clear(): void {
    this.sendMessage({ type: 'clear' });
  }

  sendMessage(message: ServerMessage): void {
    const { socket } = this;
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  }

  close(code: number): void {
    closeSocket(this.socket, code);
  }
}

/** A peer that does not answer the close frame would keep the connection for half a minute. */
export function closeSocket(socket: WebSocket, code: number): void {
  socket.close(code);
  setTimeout(() => socket.terminate(), CLOSE_MS).unref();
}

/** A message of a WebSocket in one piece. */
export function bufferOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
