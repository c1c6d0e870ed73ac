import { APIConnectionError } from '@livekit/agents';
import { WebSocket } from 'ws';
import { libraryError, statusError } from './vendor-answer.js';

/** No message of a recognizer is longer. */
const MAX_MESSAGE_BYTES = 1024 * 1024;

/**
 * Opens a WebSocket at a vendor.
 *
 * @param timeoutMs for the handshake
 * @throws APIStatusError where the vendor refuses it, with the status; APIConnectionError where it does not answer
 */
export function openVendorSocket(
  vendor: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, {
      headers: { ...headers },
      handshakeTimeout: timeoutMs,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    socket.once('open', () => resolve(socket));
    socket.once('unexpected-response', (request, response) => {
      request.destroy();
      reject(statusError(vendor, response.statusCode ?? 0));
    });
    // Stays: an error after the handshake is followed by `close`, and must not end the process.
    socket.on('error', (error) => reject(libraryError(vendor, error)));
  });
}

/** Rejects when the vendor ends the connection. Never resolves. */
export function whenClosed(vendor: string, socket: WebSocket): Promise<never> {
  return new Promise((_resolve, reject) => {
    const closed = (code: number) =>
      reject(new APIConnectionError({ message: `${vendor} closed the connection with code ${code}` }));
    if (socket.readyState >= WebSocket.CLOSING) closed(0);
    else socket.once('close', closed);
  });
}
