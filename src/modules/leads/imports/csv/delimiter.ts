import { splitRecord } from './csv-records.js';

/** `sep=;`, which Excel writes and reads as the first line of a file. */
const SEPARATOR_LINE = /^"?sep=([^\w"\s]|\t)"?[,;\t ]*$/i;
const CANDIDATES = [',', ';', '\t', '|'] as const;

/** The delimiter that a file names in its first line; null when the line is none of that kind. */
export function namedDelimiter(line: string): string | null {
  return SEPARATOR_LINE.exec(line)?.[1] ?? null;
}

/**
 * The delimiter of a header row: the one by which it has a column of the wanted kind, and of several such the one by which
 * it has most columns.
 */
export function delimiterOf(header: string, isWanted: (name: string) => boolean): string {
  const ranked = CANDIDATES.map((delimiter) => {
    const names = splitRecord(header, delimiter) ?? [];
    return { delimiter, columns: names.length, hasWanted: names.some(isWanted) };
  });
  // A header of one column says nothing of its delimiter.
  const wanted = ranked.filter(({ columns, hasWanted }) => hasWanted && columns > 1);
  const best = (wanted.length > 0 ? wanted : ranked).reduce((a, b) => (b.columns > a.columns ? b : a));
  return best.delimiter;
}
