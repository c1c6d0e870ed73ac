import { describe, expect, it } from '@jest/globals';
import { failure } from '../failure.js';
import { renderUnread, unreadPages, unreadPart } from '../unread.js';
import type { SourceOutcome } from './ingestion.repository.js';
import { failureOf, unreadOf } from './unread-sources.js';

const source = (path: string, outcome: Partial<SourceOutcome> = {}): SourceOutcome => ({
  url: `https://example.com${path}`,
  isGiven: true,
  state: 'failure' in outcome ? 'failed' : 'done',
  failure: null,
  unread: null,
  ...outcome,
});
const gone = failure('ingestion.http_status', { status: 404 });
const busy = failure('ingestion.http_status', { status: 503 });

describe('unread pages of a website', () => {
  it('are grouped by their reason and counted among all pages', () => {
    const outcomes = [
      source('/a'),
      source('/b', { failure: gone }),
      source('/c', { failure: busy }),
      source('/d', { failure: gone }),
    ];

    expect(unreadOf(outcomes)).toEqual([
      { reason: gone, pages: ['https://example.com/b', 'https://example.com/d'], count: 2, total: 4 },
      { reason: busy, pages: ['https://example.com/c'], count: 1, total: 4 },
    ]);
    expect(failureOf(outcomes)).toEqual(gone);
  });

  it('leave out dead links of the site, and name what else was not read of it', () => {
    const isGiven = false;
    const outcomes = [
      source('/'),
      source('/old', { isGiven, failure: gone }),
      source('/private', { isGiven, failure: failure('ingestion.robots') }),
      source('/prices', { isGiven, failure: busy }),
      source('/next', { isGiven, state: 'pending' }),
    ];

    expect(unreadOf(outcomes)).toEqual([
      { reason: busy, pages: ['https://example.com/prices'], count: 1, total: 2 },
    ]);
  });

  it('name the page of which a part was not read', () => {
    const reason = failure('ingestion.empty');

    expect(unreadOf([source('/'), source('/a', { unread: [unreadPart(reason)] })])).toEqual([
      { reason, pages: ['https://example.com/a'], count: 1, total: 2 },
    ]);
  });
});

it('says which pages of a file were not read, and how many there are where they are many', () => {
  const reason = failure('ingestion.scanned');
  const some = unreadPages(reason, ['2', '5'], 7);
  const pages = Array.from({ length: 30 }, (_, page) => String(page + 1));
  const many = unreadPages(reason, pages, 40);

  expect(unreadOf([source('/', { url: null, unread: [some] })])).toEqual([some]);
  expect(renderUnread(some, 'pt')).toMatch(/^2 de 7 páginas \(2, 5\): Este PDF contém apenas imagens/);
  expect(renderUnread(many, 'en')).toMatch(/^30 of 40 pages \(1, 2, 3, …\): This PDF contains only images/);
  expect(many.pages).toHaveLength(20);
});

it('says only the reason for a part that is no page', () => {
  expect(renderUnread(unreadPart(failure('ingestion.page_too_large')), 'en')).toBe('The page is too large.');
});
