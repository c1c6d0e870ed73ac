/** The constant of reciprocal rank fusion; 60 is that of its authors (Cormack, Clarke, Büttcher, SIGIR 2009). */
const K = 60;

/** An id in its place. */
export interface RankedId {
  readonly id: string;
  /** 1 for what is the first of every ranking that holds anything; less, down to 0, for what comes after. */
  readonly score: number;
}

/** One order out of several: each gives 1/(60 + rank) to what it holds, and the sums are compared. */
export function fuseRankings(rankings: readonly (readonly string[])[]): RankedId[] {
  const sums = new Map<string, number>();
  for (const ranking of rankings) {
    ranking.forEach((id, index) => sums.set(id, (sums.get(id) ?? 0) + 1 / (K + index + 1)));
  }
  const best = rankings.filter(({ length }) => length > 0).length / (K + 1);
  return [...sums]
    .toSorted(([a, sumA], [b, sumB]) => sumB - sumA || compareIds(a, b))
    .map(([id, sum]) => ({ id, score: sum / best }));
}

/** Ids are decimal numbers in text form. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
