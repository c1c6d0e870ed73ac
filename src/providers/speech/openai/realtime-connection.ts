import { setTimeout as sleep } from 'node:timers/promises';
import { APIConnectionError } from '@livekit/agents';
import { realtime } from '@livekit/agents-plugin-openai';
import { WebSocket } from 'ws';
import { REALTIME_LIMITS, RealtimeWatch } from './realtime-watch.js';

/** An error of the kind that the plugin takes for the end of the session. */
const UNREADABLE = JSON.stringify({
  type: 'error',
  error: {
    type: 'invalid_request_error',
    code: 'invalid_api_key',
    message: 'The server sent something that is no event of the realtime protocol.',
  },
});

/** What of a session is used here; the plugin keeps it to itself. */
interface Session {
  readonly _options: {
    readonly apiKey?: string;
    readonly baseURL: string;
    readonly model: string;
    readonly connOptions: { readonly timeoutMs: number };
  };
  readonly instructions?: string;
  emitError(failure: { error: Error; recoverable: boolean }): void;
  once(event: 'session_reconnected', listener: () => void): void;
}

const watches = new WeakMap<Session, RealtimeWatch>();

/**
 * Connects a session. In place of the plugin's own way, which in 1.9.0 ends the whole process, with every call in it, when
 * the server refuses the connection (nobody listens to the socket's error) or sends something else than JSON (it is parsed
 * outside of any `try`), and which connects for ever, without a pause, where the server closes. Here each of them ends the
 * session, with an error.
 */
async function connect(session: Session): Promise<WebSocket> {
  const watch = watchOf(session);
  if (!watch.mayConnect()) throw failed(session, 'The realtime server gives no answer.');
  if (watch.isReconnecting) await sleep(REALTIME_LIMITS.reconnectMs);
  const socket = await open(session);
  const isForPlugin = watch.watch(socket);
  passEventsOn(socket, isForPlugin);
  const { dueRequest } = watch;
  if (dueRequest !== null) session.once('session_reconnected', () => socket.send(dueRequest));
  return socket;
}

function watchOf(session: Session): RealtimeWatch {
  const known = watches.get(session);
  if (known) return known;
  const watch = new RealtimeWatch(() => session.instructions);
  watches.set(session, watch);
  return watch;
}

async function open(session: Session): Promise<WebSocket> {
  const { apiKey, baseURL, model, connOptions } = session._options;
  const url = realtime.processBaseURL({ baseURL, model, isAzure: false });
  const socket = new WebSocket(url, {
    headers: { Authorization: `Bearer ${apiKey}` },
    handshakeTimeout: connOptions.timeoutMs,
  });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      // Stays, so that a later error has a listener too; the plugin sees the end of the connection.
      socket.on('error', reject);
    });
  } catch (cause) {
    throw failed(
      session,
      `The realtime server cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
  return socket;
}

/** The session ends by it. */
function failed(session: Session, message: string): APIConnectionError {
  const error = new APIConnectionError({ message, options: { retryable: false } });
  session.emitError({ error, recoverable: false });
  return error;
}

/** The plugin sets `onmessage`: it is given events alone, and those that are its own. */
function passEventsOn(socket: WebSocket, isForPlugin: (event: object) => boolean): void {
  Object.defineProperty(socket, 'onmessage', {
    set: (handle: (event: { data: string }) => void) => {
      socket.on('message', (data: Buffer) => {
        const event = eventOf(data);
        if (!event) handle({ data: UNREADABLE });
        else if (isForPlugin(event)) handle({ data: data.toString() });
      });
    },
  });
}

function eventOf(data: Buffer): object | null {
  try {
    const event: unknown = JSON.parse(data.toString());
    return typeof event === 'object' ? event : null;
  } catch {
    return null;
  }
}

// A session connects within its constructor: the class is changed, once. Sessions of xAI inherit from it.
const prototype = realtime.RealtimeSession.prototype as unknown as { createWsConn?: unknown };
if (typeof prototype.createWsConn !== 'function') {
  throw new TypeError('This version of the plugin has no createWsConn: see realtime-connection');
}
prototype.createWsConn = function createWsConn(this: Session) {
  return connect(this);
};
