import { describe, expect, it } from '@jest/globals';
import type { SearchedWord, WeighedWord } from './passages.repository.js';
import { weigh, WordSearchService } from './word-search.service.js';

const word = (name: string): SearchedWord => ({ language: 'simple', query: `'1 ${name}'` });
const counted = (name: string, passages: number) => ({ ...word(name), passages });

class Passages {
  readonly counts: Record<string, number> = { "'1 rare'": 2, "'1 frequent'": 900, "'1 unknown'": 0 };
  readonly asked: string[][] = [];
  readonly searched: (readonly WeighedWord[])[] = [];

  findWords(_userId: number, _knowledgebaseId: number, text: string): Promise<SearchedWord[]> {
    return Promise.resolve(text.split(' ').map(word));
  }

  countPassages(words: readonly SearchedWord[]): Promise<number[]> {
    this.asked.push(words.map(({ query }) => query));
    return Promise.resolve(words.map(({ query }) => this.counts[query] ?? 0));
  }

  findByWords(_userId: number, _knowledgebaseId: number, words: readonly WeighedWord[]): Promise<string[]> {
    this.searched.push(words);
    return Promise.resolve(['7']);
  }
}

describe('weigh', () => {
  it('puts the rarest word first, gives it the most weight and leaves out what no passage has', () => {
    const words = weigh([counted('frequent', 900), counted('none', 0), counted('rare', 2)], 1_000);

    expect(words.map(({ query }) => query)).toEqual(["'1 rare'", "'1 frequent'"]);
    expect(words[0]?.weight).toBeGreaterThan(words[1]?.weight ?? Infinity);
  });

  it('gathers passages by rare words, and by frequent ones only where those have given too few', () => {
    const gathering = (...counts: number[]) =>
      weigh(
        counts.map((passages, index) => counted(`word${index}`, passages)),
        10_000,
      ).map(({ gathers }) => gathers);

    expect(gathering(300, 300, 5_000)).toEqual([true, true, false]);
    expect(gathering(30, 5_000, 6_000)).toEqual([true, true, false]);
    expect(gathering(5_000)).toEqual([true]);
  });

  it('takes a word that was not counted to its end for one of half of the base', () => {
    const [cut] = weigh([counted('cut', 10_000)], 1_000_000);
    const [half] = weigh([counted('half', 500_000)], 1_000_000);

    expect(cut?.weight).toBeCloseTo(half?.weight ?? 0, 10);
  });
});

describe('WordSearchService', () => {
  function setUp() {
    const passages = new Passages();
    const service = new WordSearchService(passages as never);
    const ask = (question: string, revision = 1, size = 1_000) =>
      service.search(1, 1, { revision, passages: size }, question, 5);
    return { passages, ask };
  }

  it('counts a word once as long as the base has not changed', async () => {
    const { passages, ask } = setUp();

    await ask('rare frequent');
    await ask('frequent');
    await ask('frequent unknown');

    expect(passages.asked).toEqual([["'1 rare'", "'1 frequent'"], ["'1 unknown'"]]);
  });

  it('counts rare words again when the base has changed, and frequent ones when it has changed much', async () => {
    const { passages, ask } = setUp();

    await ask('rare frequent');
    await ask('rare frequent', 2, 1_100);
    await ask('rare frequent', 3, 1_101);

    expect(passages.asked).toEqual([
      ["'1 rare'", "'1 frequent'"],
      ["'1 rare'"],
      ["'1 rare'", "'1 frequent'"],
    ]);
  });

  it('finds nothing without a word that some passage has', async () => {
    const { passages, ask } = setUp();

    expect(await ask('unknown')).toEqual([]);
    expect(passages.searched).toEqual([]);
  });
});
