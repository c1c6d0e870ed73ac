import { failure } from '../failure.js';
import { type UnreadPart, unreadPart } from '../unread.js';
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
  /** What repeats on the pages of a site: the telephone and the hours in its footer. */
  readonly siteBlocks?: readonly Block[];
  readonly links?: readonly string[];
  readonly canonicalUrl?: string | null;
  /** Another page that this one leads to by itself. */
  readonly refreshUrl?: string | null;
  /** What the file holds beyond the blocks and could not be read. */
  readonly unread?: readonly UnreadPart[];
}

/** A soft hyphen at the end of a line parts one word. */
const PARTED_WORD = /\u00ad[^\S\n]*\n\s*/g;
/**
 * Characters that show nothing and part no words: soft hyphens, zero-width spaces, marks of direction, tags. ZWJ and ZWNJ
 * are not among them, because emoji and Persian are other words without them.
 */
const INVISIBLE =
  /(?:\u034f|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}])+/gu;
const BLANKS = /[\p{Cc}\s]+/gu;

/** One line without invisible characters and control characters, which no reader needs and NUL no database takes. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(PARTED_WORD, '').replace(INVISIBLE, '').replace(BLANKS, ' ').trim();
}

/** Characters that the charset of the file does not have, of which the rest of the text does not tell which they were. */
export function unreadCharacters(blocks: readonly Block[]): UnreadPart[] {
  let count = 0;
  for (const { text } of blocks) count += text.split('\ufffd').length - 1;
  return count === 0 ? [] : [unreadPart(failure('ingestion.unknown_characters', { count }))];
}
