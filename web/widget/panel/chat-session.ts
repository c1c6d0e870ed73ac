import { Silence } from '../../shared/silence';
import type { PanelHost } from '../panel-contract';
import { Api, ApiError, type Message } from './api';
import {
  type ChatState,
  EMPTY,
  isAnswered,
  lastIdOf,
  type Outgoing,
  ownAfter,
  withMessages,
} from './chat-state';
import { ConversationOpener } from './conversation-opener';
import { LiveConnection } from './live-connection';
import { CoalescingRunner } from './coalescing-runner';
import { ConversationStore } from './stored-conversation';
import type { Problem } from './texts/texts';

const TYPING_SHOWN_MS = 6_000;
const TYPING_TOLD_EVERY_MS = 3_000;
/** An answer that was cut off may still come by the history for so long. */
const LATE_ANSWER_MS = 60_000;
/** The stream of an answer has no heartbeats: it is dead once it is quiet for longer than a turn may take. */
const ANSWER_SILENCE_MS = 180_000;
const KEPT_HOURS = 24;

/** A message on its way, until its answer is there. */
interface Turn extends Pick<Outgoing, 'text' | 'before'> {
  readonly request: AbortController;
}

/**
 * One visitor's chat: loads, sends and receives messages. The server's messages are the truth; local ones are shown until the
 * server has them.
 */
export class ChatSession {
  private state = EMPTY;
  private readonly api: Api;
  private readonly store: ConversationStore;
  private readonly opener: ConversationOpener;
  private live: LiveConnection | null = null;
  private conversationId: string | null = null;
  /** Whether the conversation is one of an earlier visit. */
  private isResumed = false;
  private readonly reading = new CoalescingRunner();
  private turn: Turn | null = null;
  private seen = 0;
  private typingTimer = 0;
  private lateTimer = 0;
  private typingToldAt = 0;

  constructor(
    private readonly host: PanelHost,
    private readonly onChange: (state: ChatState) => void,
  ) {
    this.api = new Api(host.server);
    const hours = Number(host.dataset.rememberHours ?? KEPT_HOURS);
    this.store = new ConversationStore(host.assistantId, Number.isFinite(hours) ? hours : KEPT_HOURS);
    this.opener = new ConversationOpener(this.api, host);
    window.addEventListener('storage', this.onStorage);
  }

  /** Reads what the chat shows, and the conversation of an earlier visit. */
  async load(): Promise<void> {
    this.set({ refusal: null });
    try {
      const widget = await this.api.widget(this.host.assistantId);
      this.set({ widget });
      if (this.host.dataset.talk !== undefined) void this.askForVoice();
      if (!this.conversationId) this.resume();
    } catch (error) {
      this.set({ refusal: problemOf(error) });
    }
  }

  destroy(): void {
    window.removeEventListener('storage', this.onStorage);
    this.leave();
  }

  /** Called when the visitor sees the messages. */
  look(): void {
    if (this.conversationId && this.host.isOpen) {
      this.seen = lastIdOf(this.state);
      this.store.keep(this.conversationId, this.seen);
    }
    this.countUnread();
  }

  /** Called while the visitor types: sends a typing hint and prepares sending. */
  typing(): void {
    if (!this.conversationId) return this.opener.prepare(this.state.widget);
    if (this.state.isAiOn || Date.now() - this.typingToldAt < TYPING_TOLD_EVERY_MS) return;
    this.typingToldAt = Date.now();
    this.api.typing(this.conversationId);
  }

  /** @returns whether the message was accepted and is shown */
  send(text: string): boolean {
    if (this.turn) return false;
    const before = lastIdOf(this.state);
    this.turn = { text, before, request: new AbortController() };
    clearTimeout(this.lateTimer);
    this.set({ outgoing: { text, before, status: 'sending' }, answer: this.state.isAiOn ? '' : null });
    void this.run(this.turn);
    return true;
  }

  private async run(turn: Turn): Promise<void> {
    try {
      await this.openFirst();
      await this.follow(turn);
      if (this.turn !== turn) return;
      this.turn = null;
      const isRead = await this.read().then(
        () => true,
        () => false,
      );
      // Otherwise the shown messages stay until the history can be read.
      if (isRead && !this.turn) this.set({ outgoing: null, answer: null });
    } catch (error) {
      if (this.turn !== turn) return;
      this.turn = null;
      await this.fail(turn, error);
    }
  }

  /** Resends a failed message, unless it had arrived. */
  async retry(): Promise<void> {
    const { outgoing } = this.state;
    if (outgoing?.status !== 'failed' || this.turn) return;
    if (outgoing.problem?.key === 'offline' && this.conversationId) {
      this.set({ outgoing: { ...outgoing, status: 'sending' } });
      try {
        await this.read();
      } catch {
        // Delivery is still unknown.
        return this.set({ outgoing });
      }
      if (ownAfter(this.state, outgoing)) return this.awaitLateAnswer();
    }
    if (outgoing.problem?.key === 'ended' || outgoing.problem?.key === 'missing') this.startAnew();
    this.send(outgoing.text);
  }

  /** Returns a failed message to the box. */
  takeBack(): string {
    const { outgoing } = this.state;
    this.set({ outgoing: null });
    return outgoing?.text ?? '';
  }

  startAnew(): void {
    this.leave();
    this.store.forget();
    this.set({ ...EMPTY, widget: this.state.widget, hasVoice: this.state.hasVoice });
    this.host.setUnread(0);
  }

  async readEarlier(): Promise<void> {
    const first = this.state.messages[0];
    if (!this.conversationId || !first) return;
    try {
      const { data, has_more } = await this.api.messages(this.conversationId, { before: first.id });
      // A duplicate request, or one of a conversation that was left.
      if (this.state.messages[0] !== first) return;
      this.set({ messages: [...data, ...this.state.messages], hasEarlier: has_more });
    } catch {
      this.set({ isConnectionLost: true });
    }
  }

  private async askForVoice(): Promise<void> {
    try {
      const { available } = await this.api.voice(this.host.assistantId);
      this.set({ hasVoice: available });
    } catch {
      // Writing still works.
    }
  }

  private resume(): void {
    const stored = this.store.read();
    if (!stored) return;
    this.seen = stored.seen;
    this.isResumed = true;
    this.join(stored.id);
  }

  private join(id: string): void {
    this.conversationId = id;
    this.set({ hasConversation: true });
    this.live = new LiveConnection(this.api, id, {
      onNews: () => void this.read().catch(() => this.set({ isConnectionLost: true })),
      onState: () => void this.readState(),
      onTyping: () => this.showTyping(),
      onLost: () => this.set({ isConnectionLost: true }),
      onConnected: () => this.set({ isConnectionLost: false }),
    });
  }

  private leave(): void {
    this.turn?.request.abort();
    this.turn = null;
    this.live?.end();
    this.live = null;
    this.conversationId = null;
    clearTimeout(this.typingTimer);
    clearTimeout(this.lateTimer);
  }

  private async openFirst(): Promise<void> {
    if (this.conversationId) return;
    const id = await this.opener.open(this.state.widget);
    this.store.keep(id, 0);
    this.isResumed = false;
    this.join(id);
    this.host.emit('conversation', { id });
  }

  /** Sends a message and streams its answer. */
  private async follow({ text, request }: Turn): Promise<void> {
    if (!this.conversationId) return;
    const silence = new Silence(() => request.abort(), ANSWER_SILENCE_MS);
    try {
      for await (const { event, data } of this.api.send(this.conversationId, text, request.signal)) {
        silence.broken();
        if (event === 'done') return;
        if (event === 'error') throw new ApiError({ key: 'processing' }, 400);
        if (event === 'restart') this.set({ answer: '' });
        // Null: the history already has the answer.
        if (event === 'token' && this.state.answer !== null)
          this.set({ answer: this.state.answer + (data.delta ?? '') });
      }
    } finally {
      silence.end();
    }
    // The connection closed before the answer.
    throw new ApiError({ key: 'offline' }, 0);
  }

  private async fail(sent: Pick<Outgoing, 'text' | 'before'>, error: unknown): Promise<void> {
    const problem = problemOf(error);
    if (this.conversationId) await this.read().catch(() => undefined);
    const own = ownAfter(this.state, sent);
    if (own && isAnswered(this.state, own)) return this.set({ outgoing: null, answer: null });
    if (own && problem.key === 'offline') return this.awaitLateAnswer();
    const hiddenIds = own ? new Set([...this.state.hiddenIds, own.id]) : this.state.hiddenIds;
    this.set({ outgoing: { ...sent, status: 'failed', problem }, answer: null, hiddenIds });
  }

  /** The message is stored and its answer was cut off; the history will contain it. */
  private awaitLateAnswer(): void {
    const isComing = this.state.isAiOn && this.state.messages.at(-1)?.author === 'customer';
    this.set({ outgoing: null, answer: isComing ? '' : null });
    clearTimeout(this.lateTimer);
    this.lateTimer = window.setTimeout(() => this.set({ answer: null }), LATE_ANSWER_MS);
  }

  private read(): Promise<void> {
    return this.reading.run(() => this.readNew());
  }

  /** @returns whether there is more to read */
  private async readNew(): Promise<boolean> {
    const id = this.conversationId;
    if (!id) return false;
    const isFirst = this.state.messages.length === 0;
    try {
      const { data, has_more } = await this.api.messages(id, isFirst ? {} : { after: lastIdOf(this.state) });
      if (id !== this.conversationId) return false;
      this.takeIn(data, isFirst && this.isResumed);
      if (isFirst) this.set({ hasEarlier: has_more });
      return has_more && !isFirst;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      // The conversation was deleted.
      if (id === this.conversationId && !this.turn) this.startAnew();
      return false;
    }
  }

  private takeIn(read: readonly Message[], isHistory: boolean): void {
    const last = lastIdOf(this.state);
    const hadFailed = this.state.outgoing?.status === 'failed';
    const next = withMessages(this.state, read);
    if (next === this.state) return;
    this.set(next);
    if (hadFailed && !next.outgoing) this.awaitLateAnswer();
    this.look();
    for (const { id, author, content } of isHistory ? [] : read) {
      if (id > last) this.host.emit('message', { author, content });
    }
    this.endAnswered();
  }

  /** Aborts the request of an answer that the history already contains: it could hang. */
  private endAnswered(): void {
    const own = this.turn && ownAfter(this.state, this.turn);
    if (!own || !isAnswered(this.state, own)) return;
    this.turn?.request.abort();
    this.turn = null;
    this.set({ answer: null });
  }

  private async readState(): Promise<void> {
    const id = this.conversationId;
    if (!id) return;
    try {
      const { ai_enabled } = await this.api.conversation(id);
      if (id === this.conversationId) this.set({ isAiOn: ai_enabled });
    } catch {
      // The next connection retries.
    }
  }

  private showTyping(): void {
    this.set({ isPersonTyping: true });
    clearTimeout(this.typingTimer);
    this.typingTimer = window.setTimeout(() => this.set({ isPersonTyping: false }), TYPING_SHOWN_MS);
  }

  private countUnread(): void {
    const isUnread = ({ id, author }: Message) => id > this.seen && author !== 'customer';
    this.host.setUnread(this.host.isOpen ? 0 : this.state.messages.filter(isUnread).length);
  }

  /** Another page of this browser has started a conversation. */
  private readonly onStorage = ({ key }: StorageEvent): void => {
    if (key !== this.store.key || this.turn) return;
    const stored = this.store.read();
    if (!stored || stored.id === this.conversationId) return;
    this.leave();
    this.set({ ...EMPTY, widget: this.state.widget, hasVoice: this.state.hasVoice });
    this.resume();
  };

  private set(change: Partial<ChatState>): void {
    this.state = { ...this.state, ...change };
    this.onChange(this.state);
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  console.error(error);
  return { key: 'unavailable' };
}
