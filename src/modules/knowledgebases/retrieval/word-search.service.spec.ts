import { describe, expect, it } from '@jest/globals';
import type { SearchedWord, WeighedWord } from './passages.repository.js';
import { weigh, WordSearchService } from './word-search.service.js';

const word = (name: string): SearchedWord => ({ language: 'simple', query: `'1 ${name}'` });
const counted = (name: string, passages: number) => ({ ...word(name), passages });

class Passages {
  readonly counts: Record<string, number> = { "'1 rare'": 2, "'1 frequent'": 900, "'1 unknown'": 0 };
  readonly asked: string[][] = [];
  readonly limits: number[] = [];
  readonly searched: (readonly WeighedWord[])[] = [];

  findWords(_userId: number, _knowledgebaseId: number, text: string): Promise<SearchedWord[]> {
    return Promise.resolve(text.split(' ').map(word));
  }

  countPassages(words: readonly SearchedWord[], limit: number): Promise<number[]> {
    this.limits.push(limit);
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

  it.each([
    [1_000, 2_000],
    [30_000, 6_000],
    [1_000_000, 10_000],
  ])(
    'counts in a base of %d passages up to %d, and takes what has more for half of it',
    async (size, most) => {
      const { passages, ask } = setUp();
      passages.counts["'1 cut'"] = most;

      await ask('cut', 1, size);
      const [half] = weigh([counted('half', Math.max(most, size / 2))], size);
      expect(passages.limits).toEqual([most]);
      expect(passages.searched[0]?.[0]?.weight).toBeCloseTo(half?.weight ?? NaN, 10);
    },
  );

  it('finds nothing without a word that some passage has', async () => {
    const { passages, ask } = setUp();

    expect(await ask('unknown')).toEqual([]);
    expect(passages.searched).toEqual([]);
  });
});
