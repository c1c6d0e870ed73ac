import type { Failure } from '../failure.js';
import { MAX_ADDRESS_LENGTH } from '../ingestion/page-url.js';
import type { UnreadPart } from '../unread.js';

/** What is to be read; the file is the reader's own copy. */
export interface ExtractionRequest {
  readonly path: string;
  readonly kind: 'pdf' | 'docx' | 'txt' | 'html';
  /** Pages: the address it came from, and the charset its server named. */
  readonly url?: string;
  readonly charset?: string;
}

/** One passage, not yet stored. */
export interface Passage {
  /** Title and headings above it, outermost first. */
  readonly headings: readonly string[];
  readonly content: string;
  /** Page of a PDF on which it begins, 1-based. */
  readonly page: number | null;
  /** Size of headings and content. */
  readonly tokens: number;
  readonly language: SearchLanguage;
}

/** Text search configurations of PostgreSQL; `simple` stems nothing. */
export type SearchLanguage = 'portuguese' | 'english' | 'spanish' | 'simple';

export interface Extraction {
  readonly title: string;
  readonly passages: readonly Passage[];
  /** Pages: addresses it links to, absolute. */
  readonly links: readonly string[];
  /** Pages: the address it gives itself. */
  readonly canonicalUrl: string | null;
  /** Pages: another page that this one leads to by itself. */
  readonly refreshUrl: string | null;
  /** What the file holds beyond the passages and could not be read. */
  readonly unread: readonly UnreadPart[];
}

/** What the reading process answers. */
export type ExtractionReply =
  | { readonly extraction: Extraction }
  | {
      readonly failure: Failure;
      /** What the reader said, for the log. */
      readonly detail: string;
    };

export const LIMITS = {
  /** Pages of a PDF. */
  pages: 2_000,
  /** Entries of a zip, bytes of all of them unpacked, and how many times larger than packed that may be. */
  zipEntries: 2_000,
  unpackedBytes: 200 * 1024 * 1024,
  unpackedRatio: 100,
  /** Characters of text in one document. */
  characters: 12_000_000,
  /** Links of one page that are looked at, and characters of one, or of the address a page gives itself. */
  links: 1_000,
  linkCharacters: MAX_ADDRESS_LENGTH,
} as const;
