import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Logger } from '../observability/logger.js';
import { LiveChannel } from './live-channel.js';
import { LIVE_TYPES, type LiveHint, type LiveTopic, type LiveType } from './live-hint.js';

/** Hints of this long go out together, so that a busy moment is one text and not hundreds. */
const COALESCE_MS = 100;
const MAX_TEXT_BYTES = 7_000;
/** Ids beyond this are not kept: who listens to their topic reads all of it anew. */
const MAX_PENDING = 5_000;

const RESYNC: LiveHint = { type: 'resync', ids: [] };

type Listener = (hint: LiveHint) => void;
/** A topic, what has changed, and of which ids. */
type Entry = readonly [topic: LiveTopic, type: LiveType, ids: readonly (number | string)[]];

/**
 * Notifies watchers, in all processes, that something has changed. A hint carries ids alone; the reader requests the
 * rest, so a lost or repeated hint does no harm. Call it after the commit.
 */
@Injectable()
export class LiveEventsService {
  private readonly processId = randomUUID().slice(0, 8);
  private readonly listeners = new Map<LiveTopic, Set<Listener>>();
  private readonly pending = new Map<
    string,
    { topic: LiveTopic; type: LiveType; ids: Set<number | string> }
  >();
  private pendingIds = 0;
  private timer: NodeJS.Timeout | null = null;
  private isListening = false;
  private isConnected = false;

  constructor(
    private readonly channel: LiveChannel,
    private readonly logger: Logger,
  ) {}

  /** Never fails, and does not delay the caller. */
  publish(topic: LiveTopic, type: LiveType, ...ids: (number | string)[]): void {
    if (this.pendingIds >= MAX_PENDING) [type, ids] = ['resync', []];
    const key = `${topic} ${type}`;
    const entry = this.pending.get(key) ?? { topic, type, ids: new Set<number | string>() };
    this.pending.set(key, entry);
    this.pendingIds -= entry.ids.size;
    for (const id of ids) entry.ids.add(id);
    this.pendingIds += entry.ids.size;
    this.timer ??= setTimeout(() => this.flush(), COALESCE_MS).unref();
  }

  /**
   * Hears the hints of a topic until the function that is returned is called. A first `resync` says from when on nothing
   * is missed.
   */
  subscribe(topic: LiveTopic, listener: Listener): () => void {
    this.listen();
    const listeners = this.listeners.get(topic) ?? new Set<Listener>();
    this.listeners.set(topic, listeners.add(listener));
    if (this.isConnected) listener(RESYNC);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.listeners.get(topic) === listeners) this.listeners.delete(topic);
    };
  }

  private listen(): void {
    if (this.isListening) return;
    this.isListening = true;
    this.channel.listen(
      (text) => this.hear(text),
      () => this.resync(),
    );
  }

  private flush(): void {
    this.timer = null;
    const entries = [...this.pending.values()].map(({ topic, type, ids }): Entry => [topic, type, [...ids]]);
    this.pending.clear();
    this.pendingIds = 0;
    for (const entry of entries) this.deliver(entry);
    for (const text of this.textsOf(entries)) {
      this.channel.publish(text).catch((error: unknown) => {
        this.logger.warn('other processes not notified of changes', { err: error });
      });
    }
  }

  private *textsOf(entries: readonly Entry[]): Generator<string> {
    let batch: string[] = [];
    let bytes = 0;
    for (const piece of entries.flatMap(piecesOf)) {
      if (bytes + piece.length > MAX_TEXT_BYTES) {
        yield this.textOf(batch);
        [batch, bytes] = [[], 0];
      }
      batch.push(piece);
      bytes += piece.length + 1;
    }
    if (batch.length > 0) yield this.textOf(batch);
  }

  private textOf(pieces: readonly string[]): string {
    return `{"from":"${this.processId}","entries":[${pieces.join()}]}`;
  }

  private hear(text: string): void {
    const { from, entries } = JSON.parse(text) as { from: string; entries: Entry[] };
    if (from === this.processId) return;
    // A process of another version may know types that this one does not.
    for (const entry of entries) if (LIVE_TYPES.includes(entry[1])) this.deliver(entry);
  }

  private deliver([topic, type, ids]: Entry): void {
    for (const listener of this.listeners.get(topic) ?? []) listener({ type, ids });
  }

  private resync(): void {
    this.isConnected = true;
    for (const listeners of this.listeners.values()) {
      for (const listener of listeners) listener(RESYNC);
    }
  }
}

const IDS_OF_PIECE = 100;

function piecesOf([topic, type, ids]: Entry): string[] {
  const pieces: string[] = [];
  for (let from = 0; from === 0 || from < ids.length; from += IDS_OF_PIECE) {
    pieces.push(JSON.stringify([topic, type, ids.slice(from, from + IDS_OF_PIECE)]));
  }
  return pieces;
}
