import { WebSocket } from 'ws';
import { z } from 'zod';
import type { LiveKitConfig } from '#src/config/config.js';
import { bufferOf } from '../web-socket-connection.js';
import { accessToken } from '../../livekit/access-token.js';

const TOKEN_LIFE_MS = 60_000;
const HANDSHAKE_MS = 5_000;
/** How often the server hears that this process is there, and is asked whether it is itself. */
const UPDATE_MS = 2_500;
/** After this long without a message the connection counts as broken. */
const QUIET_MS = 15_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;
/** Who has room for a call is decided here, not there: the server gives no call to a worker above 0.7, and the customer would wait for one. */
const LOAD = 0;
const MAX_MESSAGE_BYTES = 256 * 1024;
/** `protocol` of the server's agent interface. */
const PROTOCOL = 1;

const job = z.object({
  id: z.string(),
  room: z.object({ name: z.string() }),
  metadata: z.string().default(''),
});
const serverMessage = z.object({
  register: z.object({}).optional(),
  availability: z.object({ job }).optional(),
  assignment: z.object({ job, token: z.string() }).optional(),
});

/** A room that a caller has opened, and in which an agent is wanted. */
export type RoomJob = z.output<typeof job>;

export interface WorkerListener {
  /** Whether this process takes the job; else another one is asked. */
  accepts(job: RoomJob): Promise<boolean>;
  /** The job is this process's. @param token lets it into the room */
  onJob(job: RoomJob, token: string): void;
  onConnected(): void;
  /** The connection was lost or could not be had; it is tried again. */
  onTrouble(error: Error): void;
}

/**
 * A connection to a LiveKit server as an agent worker. While it is open, the server asks this process to join the
 * rooms in which its agent is wanted. Messages are the JSON form of `livekit_agent.proto`.
 */
export class LiveKitWorker {
  private socket: WebSocket | null = null;
  private timer: NodeJS.Timeout | undefined;
  private lastWordMs = 0;
  private retryMs = FIRST_RETRY_MS;
  private isStopped = false;
  private readonly jobs = new Set<string>();

  constructor(
    private readonly server: LiveKitConfig,
    private readonly agentName: string,
    private readonly listener: WorkerListener,
  ) {}

  start(): void {
    const video = { agent: true } as const;
    const token = accessToken(this.server, { video, expiresAt: new Date(Date.now() + TOKEN_LIFE_MS) });
    const socket = new WebSocket(`${this.server.url}/agent?protocol=${PROTOCOL}`, {
      headers: { Authorization: `Bearer ${token}` },
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    this.socket = socket;
    let reason = new Error('the connection was closed');
    socket.on('error', (error) => {
      reason = error;
    });
    socket.on('open', () => {
      this.heard();
      this.send({ register: { type: 'JT_ROOM', agentName: this.agentName, version: '1.0.0' } });
    });
    socket.on('ping', () => this.heard());
    socket.on('message', (data) => this.receive(bufferOf(data)));
    socket.on('close', () => this.lost(reason));
  }

  /** The job is over for this process. */
  finish(jobId: string): void {
    if (this.jobs.delete(jobId)) this.send({ updateJob: { jobId, status: 'JS_SUCCESS' } });
  }

  /** No jobs come any more. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  private heard(): void {
    this.lastWordMs = performance.now();
  }

  private receive(data: Buffer): void {
    this.heard();
    const message = serverMessage.safeParse(jsonOf(data));
    if (!message.success) return this.listener.onTrouble(message.error);
    const { register, availability, assignment } = message.data;
    if (register) this.registered();
    if (availability) void this.answer(availability.job);
    if (assignment) {
      this.jobs.add(assignment.job.id);
      this.listener.onJob(assignment.job, assignment.token);
    }
  }

  private registered(): void {
    this.retryMs = FIRST_RETRY_MS;
    this.listener.onConnected();
    this.update();
  }

  private async answer(offered: RoomJob): Promise<void> {
    let available = false;
    try {
      available = await this.listener.accepts(offered);
    } catch (error) {
      this.listener.onTrouble(error instanceof Error ? error : new Error(String(error)));
    }
    const identity = `agent-${offered.id}`;
    this.send({ availability: { jobId: offered.id, available, participantIdentity: identity } });
  }

  private update(): void {
    if (performance.now() - this.lastWordMs > QUIET_MS) return this.socket?.terminate();
    this.send({
      updateWorker: { status: 'WS_AVAILABLE', load: LOAD, jobCount: this.jobs.size },
    });
    this.send({ ping: { timestamp: String(Date.now()) } });
    this.timer = setTimeout(() => this.update(), UPDATE_MS).unref();
  }

  private lost(reason: Error): void {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    this.listener.onTrouble(reason);
    this.timer = setTimeout(() => this.start(), this.retryMs).unref();
    this.retryMs = Math.min(this.retryMs * 2, LAST_RETRY_MS);
  }

  private send(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}

function jsonOf(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString('utf8'));
  } catch {
    return null;
  }
}
