import type { WebSocket } from 'ws';
import { samplesOf } from '@prosa/audio';
import { SpokenStretches } from './spoken-stretches.js';

export const REALTIME_LIMITS = {
  /** An answer is due, and the server sends nothing at all: it is taken for dead. */
  silentMs: 8_000,
  /** How long it has to answer when it is asked whether it is there. */
  aliveMs: 3_000,
  checkMs: 500,
  /** Connections one after another of which no answer came. */
  connectionsInVain: 2,
  reconnectMs: 300,
  /** Before an answer that failed is asked for once more. */
  askAgainMs: 300,
};

/** Changes nothing. */
const PROBE = JSON.stringify({
  type: 'session.update',
  session: { type: 'realtime' },
});
const RESPONSE_CREATE = '{"type":"response.create"';
const AUDIO_BEFORE = '{"type":"input_audio_buffer.append","audio":"';
const AUDIO_AFTER = '"}';
const AUDIO_RATE_HZ = 24_000;
const INTERRUPTED =
  'The connection was interrupted. Go on with what you were about to say; ask the customer to repeat what you have missed.';

const NO_AUDIO = new Int16Array();

/** An error of this type says that something else which was asked for is refused; the answer may still come. */
const REFUSED_REQUEST = 'invalid_request_error';
/** The server closes the session soon; with OpenAI after an hour. */
const EXPIRED = 'session_expired';

export interface ServerEvent {
  readonly type?: unknown;
  readonly error?: { readonly type?: unknown; readonly code?: unknown } | null;
  readonly response?: { readonly status?: unknown } | null;
  readonly item?: { readonly arguments?: unknown } | null;
}

/**
 * Ends the wait for a realtime server that has stopped talking; the plugin waits forever: a connection without a
 * sign of life is cut, the plugin makes another, and there the answer that was due is asked for once more. An answer that
 * failed is asked for again on the same connection, once. Where the customer seems to have spoken and the server says nothing at
 * all, it is asked whether it is there.
 */
export class RealtimeWatch {
  private inVain = 0;
  /** What to ask the next connection for; null while no answer is due. */
  private due: object | null = null;
  private isAnswering = false;

  /** @param instructions of the session, which those of a response take the place of */
  constructor(private readonly instructions: () => string | undefined) {}

  /** False when a further connection is of no use. */
  mayConnect(): boolean {
    return this.inVain < REALTIME_LIMITS.connectionsInVain;
  }

  get isReconnecting(): boolean {
    return this.inVain > 0;
  }

  /** The request for the answer that the last connection owed; null when none was due. */
  get dueRequest(): string | null {
    return this.due && JSON.stringify(this.due);
  }

  /**
   * Watches a connection until it closes.
   *
   * @returns says of each event of the server whether it is the plugin's to handle
   */
  watch(socket: WebSocket): (event: ServerEvent) => boolean {
    this.inVain++;
    this.isAnswering = false;
    const openedAt = performance.now();
    let heardAt = openedAt;
    let probedAt: number | null = null;
    let answersUpdates = false;
    let failures = 0;
    const spoken = new SpokenStretches(AUDIO_RATE_HZ);
    const sendOn = socket.send.bind(socket) as (data: unknown, ...rest: unknown[]) => void;
    socket.send = ((data: unknown, ...rest: unknown[]) => {
      if (typeof data === 'string' && data.startsWith(RESPONSE_CREATE)) {
        this.due = requestOf(data);
        heardAt = performance.now();
      }
      const spokenMs = typeof data === 'string' ? spoken.hear(audioOf(data)) : null;
      if (spokenMs !== null && performance.now() - heardAt >= spokenMs) probe();
      sendOn(data, ...rest);
    }) as WebSocket['send'];

    const probe = () => {
      if (probedAt !== null || !answersUpdates) return;
      probedAt = performance.now();
      sendOn(PROBE);
    };
    const askAgain = () => {
      if (this.due && !this.isAnswering && socket.readyState === socket.OPEN)
        sendOn(JSON.stringify(this.due));
    };
    const check = () => {
      const now = performance.now();
      // After each connection that brought nothing, the wait for the next one is shorter.
      const isSilent = now - heardAt >= REALTIME_LIMITS.silentMs / Math.max(this.inVain, 1);
      const isDead =
        probedAt === null ? isSilent && this.due !== null : now - probedAt >= REALTIME_LIMITS.aliveMs;
      if (isDead) {
        this.due ??= this.interrupted;
        this.inVain = Math.max(this.inVain, 1);
        socket.terminate();
      } else if (isSilent) probe();
    };
    const timer = setInterval(check, REALTIME_LIMITS.checkMs);
    let again: NodeJS.Timeout | undefined;
    socket.once('close', () => {
      clearInterval(timer);
      clearTimeout(again);
      const lastedMs = performance.now() - openedAt;
      // It was there while no answer was due.
      if (this.due === null && lastedMs >= REALTIME_LIMITS.silentMs) this.inVain = 0;
    });

    return (event) => {
      const isOfProbe = probedAt !== null;
      heardAt = performance.now();
      probedAt = null;
      if (event.type === 'session.updated') answersUpdates = true;
      else if (event.type === 'error' && isOfProbe) {
        // It is there, but does not take the question: it is not asked again.
        answersUpdates = false;
        return false;
      } else if (event.error?.code === EXPIRED) socket.close();
      else if (this.hasFailed(event)) {
        if (++failures === 1) again = setTimeout(askAgain, REALTIME_LIMITS.askAgainMs);
        else socket.terminate();
      } else this.follow(event.type);
      return true;
    };
  }

  /** Whether an answer that is due will not come, unless it is asked for again. */
  private hasFailed({ type, error, response }: ServerEvent): boolean {
    if (type === 'response.done' && response?.status === 'failed') {
      this.isAnswering = false;
      this.due ??= this.interrupted;
      return true;
    }
    return type === 'error' && error?.type !== REFUSED_REQUEST && this.due !== null && !this.isAnswering;
  }

  private follow(type: unknown): void {
    switch (type) {
      case 'input_audio_buffer.speech_started':
        this.due = null;
        break;
      case 'input_audio_buffer.speech_stopped':
        this.due = this.interrupted;
        break;
      case 'response.created':
        this.isAnswering = true;
        this.due = this.interrupted;
        break;
      case 'response.done':
        this.isAnswering = false;
        this.due = null;
        this.inVain = 0;
        break;
    }
  }

  private get interrupted(): object {
    const own = this.instructions();
    return {
      type: 'response.create',
      response: { instructions: own ? `${own}\n${INTERRUPTED}` : INTERRUPTED },
    };
  }
}

/** The sound in a message to the server; empty where it carries none. */
function audioOf(message: string): Int16Array {
  if (!message.startsWith(AUDIO_BEFORE)) return NO_AUDIO;
  return samplesOf(Buffer.from(message.slice(AUDIO_BEFORE.length, -AUDIO_AFTER.length), 'base64'));
}

/** Without the ids by which the plugin knows its own request, since it has given that one up. */
function requestOf(data: string): object {
  const { response } = JSON.parse(data) as { response?: { instructions?: string } };
  const instructions = response?.instructions;
  return { type: 'response.create', ...(instructions ? { response: { instructions } } : {}) };
}
