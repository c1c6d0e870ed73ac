import { setImmediate } from 'node:timers/promises';
import type { llm, voice } from '@livekit/agents';
import type { VoiceLine } from '../../line/voice-line.js';
import type { ActiveAgentParts } from '../../agent/speech-services.js';
import {
  openEngineSession,
  type RealtimeSessionListener,
  type EngineSessionListener,
} from './open-engine-session.js';
import type { ActiveAgent } from '../../agent/active-agent.js';

/** The engine, and then the providers, end within this, or are left alone. */
const CLOSING_TIMEOUT_MS = 5_000;

export interface EngineSessionHost {
  /** Whether the call is over, or the session closed. */
  isOver(): boolean;
  /** The realtime model is gone; another session is being made in place of its own. */
  onLost(error: unknown): void;
  /** It could not do something, which may have been its answer. */
  onAnswerFailed(error: unknown): void;
  /** It has begun, and nothing has been said in it. */
  onReplaced(session: voice.AgentSession): void;
  /** An error that does not end the call. */
  onError(error: unknown): void;
  /** No model can take the place of the one that is gone. */
  onFailure(error: unknown): void;
}

/**
 * The engine's session of one call. When an assistant's realtime model is lost, its chat model continues in another
 * session, with the recognizer and the voice of a pipeline.
 */
export class EngineSession {
  /** The last one that was opened and is not known to have ended. */
  private opened: voice.AgentSession | null = null;
  private session: voice.AgentSession | null = null;
  private line: VoiceLine | null = null;
  private starting = Promise.resolve();
  private replacing: Promise<void> | null = null;
  /** How often the assistant was requested to speak. */
  private requestCount = 0;

  constructor(
    private readonly speaker: ActiveAgent,
    private readonly parts: Pick<ActiveAgentParts, 'limits'>,
    private readonly listener: EngineSessionListener,
    private readonly host: EngineSessionHost,
  ) {}

  /** Null before the first has been opened, while one is being replaced, and when the last has ended. */
  get current(): voice.AgentSession | null {
    return this.session;
  }

  async start(line: VoiceLine): Promise<void> {
    this.line = line;
    const session = this.open(line);
    this.session = session;
    this.starting = session.start({ agent: this.speaker.makeAgent() });
    try {
      await this.starting;
    } catch (error) {
      if (this.opened === session) throw error;
    }
    await this.replacing;
  }

  /** The session that speaks; waits for the one that takes another's place. */
  async ready(): Promise<voice.AgentSession | null> {
    await this.replacing;
    return this.session;
  }

  /** The realtime model does not answer any more. Does nothing where no such model talks. @returns whether one did */
  lose(error: unknown): boolean {
    const { session } = this;
    if (!session || !this.speaker.speech.realtime) return false;
    this.lost(session, error);
    return true;
  }

  /** Asks the model to speak; null where no session runs. */
  reply(options: Parameters<voice.AgentSession['generateReply']>[0]): voice.SpeechHandle | null {
    this.requestCount++;
    return this.session?.generateReply(options) ?? null;
  }

  /** To be called for each request to speak that does not pass through `reply`: it keeps what follows from being interrupted. */
  countRequest(): void {
    this.requestCount++;
  }

  /** Drops what is said and thought. The engine may only now begin to think about words that it has just passed on. */
  async drop(): Promise<void> {
    const { session, requestCount } = this;
    session?.interrupt();
    await setImmediate();
    if (session && this.session === session && this.requestCount === requestCount) session.interrupt();
  }

  async close(): Promise<void> {
    await this.within(Promise.all([this.replacing, this.session?.close()]));
  }

  /** Waits for what must not keep the call open. */
  async within(closing: Promise<unknown>): Promise<void> {
    await Promise.race([closing, patience(CLOSING_TIMEOUT_MS)]).catch((error: unknown) =>
      this.host.onError(error),
    );
  }

  private open(line: VoiceLine): voice.AgentSession {
    const session: voice.AgentSession = openEngineSession(
      this.speaker,
      this.parts,
      this.speaker.makeModel(),
      this.listenerOf(() => session),
    );
    session.input.audio = line.input;
    session.output.audio = line.output;
    this.opened = session;
    return session;
  }

  /** Ignores what a session reports that was replaced. */
  private listenerOf(session: () => voice.AgentSession): RealtimeSessionListener {
    const { listener } = this;
    const isCurrent = () => this.opened === session();
    return {
      ...listener,
      onAssistant: (state) => {
        if (isCurrent()) listener.onAssistant(state);
      },
      onFailure: (error) => {
        if (isCurrent()) listener.onFailure(error);
      },
      onRealtimeError: (error) => this.host.onAnswerFailed(error),
      onRealtimeLost: (error) => this.lost(session(), error),
      onClosed: () => {
        if (!isCurrent()) return;
        this.session = this.opened = null;
        listener.onClosed();
      },
    };
  }

  private lost(session: voice.AgentSession, error: unknown): void {
    if (this.opened !== session || this.isOver) return;
    this.session = this.opened = null;
    // What the customer says from now on waits for the session that is to come.
    this.line?.renewInput();
    this.host.onLost(error);
    this.replacing = this.replace(session, error)
      .catch((reason: unknown) => this.host.onFailure(reason))
      .finally(() => {
        this.replacing = null;
      });
  }

  private async replace(old: voice.AgentSession, error: unknown): Promise<void> {
    const { line } = this;
    // A session that is closed while it starts would run afterwards.
    const closed = this.starting.catch(() => undefined).then(() => old.close());
    const [isServed] = await Promise.all([this.speaker.leaveRealtime(error), this.within(closed)]);
    if (this.isOver) return;
    if (!isServed || !line) return this.host.onFailure(error);
    const session = this.open(line);
    await session.start({ agent: this.speaker.makeAgent(conversationOf(old)) });
    if (this.isOver) return this.within(session.close());
    this.session = session;
    this.host.onReplaced(session);
  }

  private get isOver(): boolean {
    return this.host.isOver();
  }
}

/** What has been said and done, without the engine's own notes. */
function conversationOf(session: voice.AgentSession): llm.ChatContext {
  return session.history.copy({
    excludeInstructions: true,
    excludeEmptyMessage: true,
    excludeHandoff: true,
    excludeConfigUpdate: true,
  });
}

function patience(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
