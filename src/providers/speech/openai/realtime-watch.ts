import type { WebSocket } from 'ws';

export const REALTIME_LIMITS = {
  /** An answer is due, and the server sends nothing at all: it is taken for dead. */
  silentMs: 8_000,
  /** How long it has to answer when it is asked whether it is there. */
  aliveMs: 5_000,
  checkMs: 500,
  /** Connections one after another of which no answer came. */
  connectionsInVain: 2,
  reconnectMs: 300,
};

/** Changes nothing. */
const PROBE = JSON.stringify({
  type: 'session.update',
  session: { type: 'realtime' },
});
const RESPONSE_CREATE = '{"type":"response.create"';
const INTERRUPTED =
  'The connection was interrupted. Go on with what you were about to say; ask the customer to repeat what you have missed.';

interface ServerEvent {
  readonly type?: unknown;
}

/**
 * Sees to it that nobody waits for a realtime server that has stopped talking, as the plugin does: a connection without a
 * sign of life is cut, the plugin makes another, and there the answer that was due is asked for once more.
 */
export class RealtimeWatch {
  private inVain = 0;
  /** What to ask the next connection for; null while no answer is due. */
  private due: object | null = null;

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
    let heardAt = performance.now();
    let probedAt: number | null = null;
    let answersUpdates = false;
    const sendOn = socket.send.bind(socket) as (data: unknown, ...rest: unknown[]) => void;
    socket.send = ((data: unknown, ...rest: unknown[]) => {
      if (typeof data === 'string' && data.startsWith(RESPONSE_CREATE)) {
        this.due = requestOf(data);
        heardAt = performance.now();
      }
      sendOn(data, ...rest);
    }) as WebSocket['send'];

    const check = () => {
      const now = performance.now();
      const isSilent = now - heardAt >= REALTIME_LIMITS.silentMs;
      const isDead =
        probedAt === null ? isSilent && this.due !== null : now - probedAt >= REALTIME_LIMITS.aliveMs;
      if (isDead) {
        this.due ??= this.interrupted;
        socket.terminate();
      } else if (probedAt === null && isSilent && answersUpdates) {
        probedAt = now;
        sendOn(PROBE);
      }
    };
    const timer = setInterval(check, REALTIME_LIMITS.checkMs);
    socket.once('close', () => clearInterval(timer));

    return (event) => {
      const isOfProbe = probedAt !== null;
      heardAt = performance.now();
      probedAt = null;
      if (event.type === 'session.updated') answersUpdates = true;
      else if (event.type === 'error' && isOfProbe) {
        // It is there, but does not take the question: it is not asked again.
        answersUpdates = false;
        return false;
      } else this.follow(event.type);
      return true;
    };
  }

  private follow(type: unknown): void {
    switch (type) {
      case 'input_audio_buffer.speech_started':
      case 'error':
        this.due = null;
        break;
      case 'input_audio_buffer.speech_stopped':
      case 'response.created':
        this.due = this.interrupted;
        break;
      case 'response.done':
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

/** Without the ids by which the plugin knows its own request, since it has given that one up. */
function requestOf(data: string): object {
  const { response } = JSON.parse(data) as { response?: { instructions?: string } };
  const instructions = response?.instructions;
  return { type: 'response.create', ...(instructions ? { response: { instructions } } : {}) };
}
