/** The constant of reciprocal rank fusion; 60 is that of its authors (Cormack, Clarke, Büttcher, SIGIR 2009). */
const K = 60;

/** One order out of several: each gives 1/(60 + rank) to what it holds, and the sums are compared. */
export function fuseRankings(rankings: readonly (readonly string[])[]): string[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    ranking.forEach((id, index) => scores.set(id, (scores.get(id) ?? 0) + 1 / (K + index + 1)));
  }
  return [...scores]
    .toSorted(([a, scoreA], [b, scoreB]) => scoreB - scoreA || compareIds(a, b))
    .map(([id]) => id);
}

/** Ids are decimal numbers in text form. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
