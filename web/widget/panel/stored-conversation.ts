const KEY = 'prosa:';
const HOUR_MS = 3_600_000;

/** What a browser remembers of a chat. */
export interface StoredConversation {
  readonly id: string;
  /** The last message that was shown while the chat was open. */
  readonly seen: number;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/**
 * The conversation that a returning visitor continues. It is stored from the first message until it has been idle for a time.
 * If the page may not use storage, it lasts as long as the page.
 */
export class ConversationStore {
  private memory: StoredConversation | null = null;

  constructor(
    private readonly assistantId: string,
    private readonly hours: number,
  ) {}

  get key(): string {
    return KEY + this.assistantId;
  }

  read(): StoredConversation | null {
    const kept = this.memory ?? this.fromStorage();
    return kept && kept.until > Date.now() ? kept : null;
  }

  keep(id: string, seen: number): void {
    const kept = { id, seen, until: Date.now() + this.hours * HOUR_MS };
    this.memory = this.hours > 0 ? null : { ...kept, until: Infinity };
    try {
      if (this.hours > 0) localStorage.setItem(this.key, JSON.stringify(kept));
    } catch {
      this.memory = kept;
    }
  }

  forget(): void {
    this.memory = null;
    try {
      localStorage.removeItem(this.key);
    } catch {
      // Nothing was stored.
    }
  }

  private fromStorage(): StoredConversation | null {
    try {
      const { id, seen, until } = JSON.parse(localStorage.getItem(this.key) ?? '{}');
      return typeof id === 'string' && /^[\da-f-]{36}$/i.test(id)
        ? { id, seen: Number(seen) || 0, until }
        : null;
    } catch {
      return null;
    }
  }
}
