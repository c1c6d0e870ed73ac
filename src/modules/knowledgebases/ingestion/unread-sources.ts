import type { DocumentSource } from '../documents/document-source.entity.js';
import { type Failure, failure } from '../failure.js';
import { type UnreadPart, unreadPages, unreadPart } from '../unread.js';
import type { SourceOutcome } from './ingestion.repository.js';
import type { ReadSource } from './source-reader.js';

/** Answers to a followed link that say the page is not there, or is not for robots: no knowledge is missing. */
const EXPECTED_OF_LINKS: ReadonlySet<string> = new Set([
  'ingestion.not_a_page',
  'ingestion.robots',
  'ingestion.empty',
]);
const GONE: ReadonlySet<unknown> = new Set([404, 410]);

/** The reason for a document of which nothing could be read: that of the first source the user named. */
export function failureOf(sources: readonly SourceOutcome[]): Failure | null {
  const given = sources.filter(({ isGiven }) => isGiven);
  const failed = given.find((source) => source.failure !== null)?.failure;
  return failed ?? given.flatMap(({ unread }) => unread ?? [])[0]?.reason ?? null;
}

/** What of a source was not read: all of it, where a page that the user named has links and no text. */
export function unreadOfSource({ isGiven }: DocumentSource, { passages, unread }: ReadSource): UnreadPart[] {
  const isEmpty = isGiven && passages.length === 0 && unread.length === 0;
  return isEmpty ? [unreadPart(failure('ingestion.empty'))] : [...unread];
}

/** What is missing in a document that was read: pages by their reason, then parts of pages. */
export function unreadOf(sources: readonly SourceOutcome[]): UnreadPart[] {
  const looked = sources.filter(
    (source) => source.state !== 'pending' && (source.isGiven || !isExpected(source)),
  );
  const failed = looked.flatMap(({ url, failure }) =>
    failure && url !== null ? [{ reason: failure, url }] : [],
  );
  const parts = looked.flatMap(({ url, unread }) => (unread ?? []).map((part) => ({ ...part, url })));
  const ofPages = parts.filter(({ count, url }) => count > 0 || url === null);
  const within = parts.filter(({ count, url }) => count === 0 && url !== null);
  const named = within.map(({ reason, url }) => ({ reason, url: url ?? '' }));
  return [...grouped([...failed, ...named], looked.length), ...ofPages.map(({ url: _, ...part }) => part)];
}

function isExpected({ failure }: SourceOutcome): boolean {
  if (failure === null) return false;
  return EXPECTED_OF_LINKS.has(failure.key) || GONE.has(failure.params?.status);
}

function grouped(
  pages: readonly { readonly reason: Failure; readonly url: string }[],
  total: number,
): UnreadPart[] {
  const byReason = new Map<string, { reason: Failure; urls: string[] }>();
  for (const { reason, url } of pages) {
    const key = JSON.stringify(reason);
    const group = byReason.get(key) ?? { reason, urls: [] };
    group.urls.push(url);
    byReason.set(key, group);
  }
  return [...byReason.values()].map(({ reason, urls }) => unreadPages(reason, urls, total));
}
