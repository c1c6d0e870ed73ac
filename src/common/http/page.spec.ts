import { describe, expect, it } from '@jest/globals';
import { PageAddress, pageRequestOf, toPageResponse } from './page.js';

const address = new PageAddress(
  'http://localhost',
  '/api/user/calls',
  new URLSearchParams({ status: 'ended', page: '9' }),
);
const pageOf = (page: number, total: number, perPage = 10) => {
  const first = (page - 1) * perPage;
  const rows = Array.from(
    { length: Math.max(0, Math.min(perPage, total - first)) },
    (_, index) => first + index + 1,
  );
  return toPageResponse({ rows, total }, { page, perPage }, address, (row) => row);
};

describe('toPageResponse', () => {
  it('keeps the query in every URL and replaces the page', () => {
    const { next_page_url: next, first_page_url: first, last_page_url: last, path } = pageOf(2, 100);
    expect(path).toBe('http://localhost/api/user/calls');
    expect(next).toBe('http://localhost/api/user/calls?status=ended&page=3');
    expect(first).toBe('http://localhost/api/user/calls?status=ended&page=1');
    expect(last).toBe('http://localhost/api/user/calls?status=ended&page=10');
  });

  it('links each page, the one before and the one after', () => {
    const url = (page: number) => `http://localhost/api/user/calls?status=ended&page=${page}`;
    const page = pageOf(2, 30);
    expect(page.links).toEqual([
      { url: url(1), label: '&laquo; Previous', active: false },
      { url: url(1), label: '1', active: false },
      { url: url(2), label: '2', active: true },
      { url: url(3), label: '3', active: false },
      { url: url(3), label: 'Next &raquo;', active: false },
    ]);
    expect([page.prev_page_url, page.next_page_url]).toEqual([url(1), url(3)]);
    expect(pageOf(1, 30).links.at(0)).toMatchObject({ url: null });
    expect(pageOf(3, 30).links.at(-1)).toMatchObject({ url: null });
    expect(pageOf(1, 500).links.at(11)).toEqual({ url: null, label: '...', active: false });
  });

  it('keeps the page where the query has it, among parameters that look like it', () => {
    const query = new URLSearchParams('my_page=&a=page%3D&page=4&page=5&z=%26page%3D1');
    expect(new PageAddress('http://h', '/p', query).url(7)).toBe(
      'http://h/p?my_page=&a=page%3D&page=7&z=%26page%3D1',
    );
    expect(new PageAddress('http://h', '/p', new URLSearchParams()).url(2)).toBe('http://h/p?page=2');
  });

  it('has empty data and null edges past the end', () => {
    expect(pageOf(12, 100)).toMatchObject({
      data: [],
      from: null,
      to: null,
      total: 100,
      last_page: 10,
      current_page: 12,
      next_page_url: null,
    });
  });

  it('is one empty page when there is nothing', () => {
    expect(pageOf(1, 0)).toMatchObject({
      from: null,
      to: null,
      last_page: 1,
      next_page_url: null,
      prev_page_url: null,
    });
  });

  it('counts from and to by place in the whole list', () => {
    expect(pageOf(3, 25)).toMatchObject({ from: 21, to: 25, per_page: 10 });
  });

  it('begins its links with previous and ends them with next', () => {
    const { links } = pageOf(2, 30);
    expect(links.map(({ label }) => label)).toEqual(['&laquo; Previous', '1', '2', '3', 'Next &raquo;']);
    expect(links.filter(({ active }) => active).map(({ label }) => label)).toEqual(['2']);
  });

  it.each([
    [1, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '...', '49', '50']],
    [7, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '...', '49', '50']],
    [8, ['1', '2', '...', '5', '6', '7', '8', '9', '10', '11', '...', '49', '50']],
    [43, ['1', '2', '...', '40', '41', '42', '43', '44', '45', '46', '...', '49', '50']],
    [44, ['1', '2', '...', '41', '42', '43', '44', '45', '46', '47', '48', '49', '50']],
    [25, ['1', '2', '...', '22', '23', '24', '25', '26', '27', '28', '...', '49', '50']],
    [50, ['1', '2', '...', '41', '42', '43', '44', '45', '46', '47', '48', '49', '50']],
  ])('shows a window of pages around page %i', (page, labels) => {
    expect(
      pageOf(page, 500)
        .links.slice(1, -1)
        .map(({ label }) => label),
    ).toEqual(labels);
  });

  it('shows every page of up to thirteen, and leaves some out of fourteen', () => {
    const labels = (total: number) => pageOf(7, total).links.map(({ label }) => label);
    expect(labels(130)).toHaveLength(2 + 13);
    expect(labels(130)).not.toContain('...');
    expect(labels(131)).toContain('...');
  });
});

describe('pageRequestOf', () => {
  it('takes what was asked for, and the first page of fifteen, or of as many as a list has, otherwise', () => {
    expect(pageRequestOf({ page: 3, per_page: 40 })).toEqual({ page: 3, perPage: 40 });
    expect(pageRequestOf({})).toEqual({ page: 1, perPage: 15 });
    expect(pageRequestOf({}, 50)).toEqual({ page: 1, perPage: 50 });
  });
});
