import { render, text } from '../../i18n/catalogue.js';
import type { Language } from '../../i18n/text.js';
import type { Failure } from './failure.js';

/** Pages that are named one by one; of the others the number is enough. */
const MAX_NAMED_PAGES = 20;
/** Reasons that are kept for one document. */
const MAX_PARTS = 20;
/** Pages that a text for people names. */
const MAX_SHOWN_PAGES = 3;

/** A part of a document that could not be read while the rest was, and why. */
export interface UnreadPart {
  readonly reason: Failure;
  /** Numbers of pages of a PDF, or addresses of pages of a website; empty where the part is no page. */
  readonly pages: readonly string[];
  /** How many pages these are, including those without a name here, and how many the document has; zero where the part is no page. */
  readonly count: number;
  readonly total: number;
}

/** Pages that could not be read for one reason. */
export function unreadPages(reason: Failure, pages: readonly string[], total: number): UnreadPart {
  return { reason, pages: pages.slice(0, MAX_NAMED_PAGES), count: pages.length, total };
}

/** A part that is no page. */
export function unreadPart(reason: Failure): UnreadPart {
  return { reason, pages: [], count: 0, total: 0 };
}

/** Parts as they are stored: null for none. */
export function storedParts(parts: readonly UnreadPart[]): string | null {
  return parts.length === 0 ? null : JSON.stringify(parts.slice(0, MAX_PARTS));
}

/** "1 of 2 pages (https://example.com/prices): The website responded with HTTP error 404." */
export function renderUnread({ reason, pages, count, total }: UnreadPart, language: Language): string {
  const why = render(reason, language);
  if (count === 0) return why;
  const shown = pages.slice(0, MAX_SHOWN_PAGES).join(', ');
  const names = count > MAX_SHOWN_PAGES ? `${shown}, …` : shown;
  return render(text('documents.unread_pages', { count, total, names, reason: why }), language);
}
