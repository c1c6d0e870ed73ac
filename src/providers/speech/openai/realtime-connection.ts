import { setTimeout as sleep } from 'node:timers/promises';
import { APIConnectionError } from '@livekit/agents';
import { realtime } from '@livekit/agents-plugin-openai';
import { WebSocket } from 'ws';
import { withExactNumbers } from '../../../common/text/exact-json.js';
import { UnansweredError } from '../speech-error.js';
import { CUT_OFF } from './cut-answer.js';
import { REALTIME_LIMITS, RealtimeWatch, type ServerEvent } from './realtime-watch.js';

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
const sockets = new WeakMap<Session, WebSocket>();
const ended = new WeakSet<Session>();

/**
 * Connects a session, in place of the plugin's own way (1.9.0). The plugin ends the whole process, with every call in
 * it, in two cases: the server refuses the connection (the socket's error has no listener), or it sends something
 * else than JSON (parsed outside of any `try`). Where the server closes, the plugin reconnects for ever, without a
 * pause. Here each of them ends the session, with an error.
 */
async function connect(session: Session): Promise<WebSocket> {
  const watch = watchOf(session);
  if (!watch.mayConnect()) throw gone(session, watch.dueRequest !== null);
  if (watch.isReconnecting) await sleep(REALTIME_LIMITS.reconnectMs);
  const socket = await open(session);
  sockets.set(session, socket);
  // The call was over before the connection stood: the plugin would leave it open.
  if (ended.has(session)) socket.close();
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

/** Once more where it may have been a moment's trouble: not where the server has said no, or nothing for seconds. */
async function open(session: Session): Promise<WebSocket> {
  try {
    return await openOnce(session);
  } catch (error) {
    if (ended.has(session) || !isPassing(error)) throw unreachable(session, error);
  }
  await sleep(REALTIME_LIMITS.reconnectMs);
  return openOnce(session).catch((error: unknown) => {
    throw unreachable(session, error);
  });
}

function isPassing(error: unknown): boolean {
  const { message } = error as Error;
  return !message.includes('timed out') && !/Unexpected server response: 4\d\d/.test(message);
}

async function openOnce(session: Session): Promise<WebSocket> {
  const { apiKey, baseURL, model, connOptions } = session._options;
  const url = realtime.processBaseURL({ baseURL, model, isAzure: false });
  const socket = new WebSocket(url, {
    headers: { Authorization: `Bearer ${apiKey}` },
    handshakeTimeout: connOptions.timeoutMs,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    // Stays, so that a later error has a listener too; the plugin sees the end of the connection.
    socket.on('error', reject);
  });
  return socket;
}

function unreachable(session: Session, cause: unknown): APIConnectionError {
  return failed(session, `The realtime server cannot be reached: ${(cause as Error).message}`);
}

/** The session ends by it. */
function gone(session: Session, isAnswerDue: boolean): APIConnectionError {
  const message = 'The realtime server gives no answer.';
  if (isAnswerDue) session.emitError({ error: new UnansweredError(message), recoverable: false });
  return failed(session, message);
}

/** The session ends by it. */
function failed(session: Session, message: string): APIConnectionError {
  const error = new APIConnectionError({ message, options: { retryable: false } });
  session.emitError({ error, recoverable: false });
  return error;
}

/** The plugin sets `onmessage`: it is given events alone, and those that are its own. */
function passEventsOn(socket: WebSocket, isForPlugin: (event: ServerEvent) => boolean): void {
  Object.defineProperty(socket, 'onmessage', {
    set: (handle: (event: { data: string }) => void) => {
      socket.on('message', (data: Buffer) => {
        const event = eventOf(data);
        if (!event) handle({ data: UNREADABLE });
        else if (isForPlugin(event)) handle({ data: withExactArguments(event) ?? data.toString() });
      });
    },
  });
}

/** The event of a call whose arguments hold numbers that the engine's `JSON.parse` would change; null for all others. */
function withExactArguments(event: ServerEvent): string | null {
  const { item } = event;
  if (typeof item?.arguments !== 'string') return null;
  const exact = withExactNumbers(item.arguments);
  return exact === item.arguments ? null : JSON.stringify({ ...event, item: { ...item, arguments: exact } });
}

function eventOf(data: Buffer): ServerEvent | null {
  try {
    const event: unknown = JSON.parse(data.toString());
    return typeof event === 'object' ? event : null;
  } catch {
    return null;
  }
}

/** An answer on its way, as the plugin keeps it. */
interface Generation {
  readonly messages?: ReadonlyMap<
    string,
    { readonly textChannel: { write(words: unknown): Promise<unknown> }; readonly audioTranscript: string }
  >;
}

/** Its words came before their sound, of which the rest will not come: what was heard of them is reckoned. */
function endWords({ messages }: Generation): void {
  for (const { textChannel, audioTranscript } of messages?.values() ?? [])
    if (audioTranscript !== '')
      textChannel.write(CUT_OFF).catch(() => {
        // It refuses more words when all of them, and their sound, were there.
      });
}

// A session connects within its constructor: the class is changed, once. Sessions of xAI inherit from it.
const prototype = realtime.RealtimeSession.prototype as unknown as {
  createWsConn?: unknown;
  closeCurrentGeneration?: (this: Session & { currentGeneration?: Generation }, reason?: string) => void;
  close: (this: Session) => Promise<void>;
};
const { closeCurrentGeneration } = prototype;
if (typeof prototype.createWsConn !== 'function' || typeof closeCurrentGeneration !== 'function') {
  throw new TypeError('This version of the plugin connects in another way: see realtime-connection');
}
prototype.closeCurrentGeneration = function closeGeneration(reason) {
  if (this.currentGeneration) endWords(this.currentGeneration);
  closeCurrentGeneration.call(this, reason);
};
prototype.createWsConn = function createWsConn(this: Session) {
  return connect(this);
};
const closeSession = prototype.close;
/** The plugin closes its connection when it has something to send the next time, which after a call it never has. */
prototype.close = async function close(this: Session) {
  ended.add(this);
  try {
    await closeSession.call(this);
  } finally {
    sockets.get(this)?.close();
  }
};
