import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { PassagesRepository, type SearchedWord, type WeighedWord } from './passages.repository.js';
import { searchedText } from './searchable-text.js';
import type { SearchedBase } from './searched-base.js';

/** Words that decide, the rarest first. */
const MAX_DECIDING = 24;
/** Once the rarer words of a question are found this often, passages that have only its other words are left out. */
const ENOUGH_PASSAGES = 500;
/** From here on a word is frequent: some passages more or less change its weight little, and counting them is slow. */
const FREQUENT = 500;
/** How much a base may grow or shrink until its frequent words are counted again. */
const MAX_CHANGE = 0.1;
/**
 * The passages of a word are counted up to this part of a base, within the two bounds. A word with more of them says
 * next to nothing, and counts as in half of the base.
 */
const COUNTED_SHARE = 0.2;
const LEAST_COUNTED = 2_000;
const MOST_COUNTED = 10_000;
/** Words of all bases whose counts are kept. */
const MAX_KEPT_COUNTS = 20_000;

interface CountedWord extends SearchedWord {
  readonly passages: number;
}

interface KeptCount {
  readonly passages: number;
  /** The base as it was. */
  readonly base: SearchedBase;
}

/**
 * Finds passages by their words. Counting the passages of a frequent word takes most of the time of a search, and
 * frequent words come again and again. Counts are therefore cached for the base's revision. Those of frequent words
 * are kept until the base has changed by more than `MAX_CHANGE`.
 */
@Injectable()
export class WordSearchService {
  private readonly counts = new LRUCache<string, KeptCount>({ max: MAX_KEPT_COUNTS });

  constructor(private readonly passages: PassagesRepository) {}

  /**
   * Ids of the passages that have words of the question, best first. Each passage is searched in its own language; a
   * word counts the more, the fewer passages of the base have it (as in BM25).
   */
  async search(
    userId: number,
    knowledgebaseId: number,
    base: SearchedBase,
    question: string,
    limit: number,
  ): Promise<string[]> {
    const words = await this.passages.findWords(userId, knowledgebaseId, searchedText(question));
    const weighed = weigh(await this.count(words, base), base.passages);
    return weighed.length === 0 ? [] : this.passages.findByWords(userId, knowledgebaseId, weighed, limit);
  }

  private async count(words: readonly SearchedWord[], base: SearchedBase): Promise<CountedWord[]> {
    const known = words.map((word) => this.keptCount(word, base));
    const unknown = words.filter((_word, index) => known[index] === null);
    const limit = countedUpTo(base);
    const counts = unknown.length === 0 ? [] : await this.passages.countPassages(unknown, limit);
    const whole = (count: number) => (count < limit ? count : Math.max(count, base.passages / 2));
    const fresh = new Map(unknown.map((word, index) => [word, whole(counts[index] ?? 0)]));
    for (const [word, passages] of fresh) this.counts.set(keyOf(word), { passages, base });
    return words.map((word, index) => ({ ...word, passages: known[index] ?? fresh.get(word) ?? 0 }));
  }

  private keptCount(word: SearchedWord, base: SearchedBase): number | null {
    const kept = this.counts.get(keyOf(word));
    if (!kept) return null;
    const change = Math.abs(base.passages - kept.base.passages);
    const isNearlySame = kept.passages >= FREQUENT && change <= kept.base.passages * MAX_CHANGE;
    return kept.base.revision === base.revision || isNearlySame ? kept.passages : null;
  }
}

/** The id of the base is in the query. */
function keyOf({ language, query }: SearchedWord): string {
  return `${language} ${query}`;
}

function countedUpTo({ passages }: SearchedBase): number {
  return Math.min(Math.max(Math.ceil(passages * COUNTED_SHARE), LEAST_COUNTED), MOST_COUNTED);
}

/** The words that some passage has, the rarest first. */
export function weigh(words: readonly CountedWord[], passagesOfBase: number): WeighedWord[] {
  let gathered = 0;
  return words
    .filter(({ passages }) => passages > 0)
    .toSorted((a, b) => a.passages - b.passages)
    .slice(0, MAX_DECIDING)
    .map(({ language, query, passages }) => {
      const gathers = gathered < ENOUGH_PASSAGES;
      gathered += passages;
      return { language, query, weight: weightOf(passages, passagesOfBase), gathers };
    });
}

/** As in BM25. */
function weightOf(passages: number, passagesOfBase: number): number {
  return Math.log(1 + Math.max(passagesOfBase - passages, 0) / (passages + 0.5));
}
