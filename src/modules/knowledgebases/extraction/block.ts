import type { UnreadPart } from '../unread.js';
import type { SearchLanguage } from './extraction.js';

/** A heading or a paragraph, which is what every format is read into. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string; readonly page?: number }
  | { readonly kind: 'text'; readonly text: string; readonly page?: number };

/** What a reader makes of a file. */
export interface ReadDocument {
  readonly title: string;
  readonly blocks: readonly Block[];
  /** What the file says of its language. */
  readonly language?: SearchLanguage;
  readonly links?: readonly string[];
  readonly canonicalUrl?: string | null;
  /** What the file holds beyond the blocks and could not be read. */
  readonly unread?: readonly UnreadPart[];
}

/** One line without control characters, which no reader needs and NUL no database takes. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
}
