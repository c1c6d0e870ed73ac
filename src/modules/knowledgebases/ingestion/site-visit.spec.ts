import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LocalServer } from '#test/support/http-server.js';
import { EgressClient } from '../../../common/egress/egress-client.js';
import { UnreadableError } from '../failure.js';
import { SiteVisit } from './site-visit.js';

let egress: EgressClient;
let site: LocalServer;
let robots: (response: ServerResponse) => void;
let page: (response: ServerResponse) => void;

beforeAll(async () => {
  egress = new EgressClient({ allowCidrs: ['127.0.0.0/8'] });
  site = await LocalServer.start(({ path }, response) => (path === '/robots.txt' ? robots : page)(response));
});

beforeEach(() => {
  robots = (response) => void response.writeHead(404).end();
  page = (response) =>
    void response.writeHead(200, { 'content-type': 'Text/HTML; Charset="iso-8859-1"' }).end('<p>Hi</p>');
});

afterAll(async () => {
  await egress.close();
  await site.stop();
});

const visit = () => new SiteVisit(egress, [1, 1]);

async function reasonOf(url: string): Promise<string> {
  const outcome: unknown = await visit()
    .fetch(url)
    .catch((error: unknown) => error);
  if (outcome instanceof UnreadableError) return outcome.failure.key;
  throw new Error('it was read', { cause: outcome });
}

describe('SiteVisit', () => {
  it('fetches a page with what the server says of it', async () => {
    expect(await visit().fetch(`${site.url}/a`)).toMatchObject({
      url: `${site.url}/a`,
      contentType: 'text/html',
      charset: 'iso-8859-1',
    });
  });

  it('asks for robots.txt once, under its name', async () => {
    const before = site.requests.length;
    const one = visit();
    await one.fetch(`${site.url}/a`);
    await one.fetch(`${site.url}/b`);
    const asked = site.requests.slice(before);

    expect(asked.map(({ path }) => path)).toEqual(['/robots.txt', '/a', '/b']);
    expect(asked.every(({ headers }) => headers['user-agent']?.includes('ProsaBot'))).toBe(true);
  });

  it.each([
    ['disallows all', 'User-agent: *\nDisallow: /', 'ingestion.robots'],
    ['disallows us by name', 'User-agent: ProsaBot\nDisallow: /a', 'ingestion.robots'],
  ])('obeys a robots.txt that %s', async (_, content, reason) => {
    robots = (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(content);

    expect(await reasonOf(`${site.url}/a`)).toBe(reason);
  });

  it('reads nothing while robots.txt cannot be had', async () => {
    robots = (response) => void response.writeHead(503).end();

    expect(await reasonOf(`${site.url}/a`)).toBe('ingestion.robots');
  });

  it('tries again after a fault that passes', async () => {
    let calls = 0;
    page = (response) => {
      calls++;
      response.writeHead(calls < 3 ? 503 : 200).end('ok');
    };

    expect((await visit().fetch(`${site.url}/a`)).bytes.toString()).toBe('ok');
  });

  it.each([
    [
      'an error status',
      (response: ServerResponse) => void response.writeHead(410).end(),
      'ingestion.http_status',
    ],
    [
      'a page too large',
      (response: ServerResponse) => void response.end(Buffer.alloc(6_000_000)),
      'ingestion.page_too_large',
    ],
    [
      'a redirect without end',
      (response: ServerResponse) => void response.writeHead(302, { location: '/again' }).end(),
      'ingestion.too_many_redirects',
    ],
    [
      'a redirect into a private network',
      (response: ServerResponse) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      'ingestion.address_not_allowed',
    ],
    [
      'a redirect to an address too long',
      (response: ServerResponse) => {
        if (response.req.url === '/a') response.writeHead(302, { location: `/${'a'.repeat(3_000)}` }).end();
        else response.end('ok');
      },
      'ingestion.address_too_long',
    ],
    ['a lost connection', (response: ServerResponse) => void response.destroy(), 'ingestion.unreachable'],
  ])('gives the reason for %s', async (_, answer, reason) => {
    page = answer;

    expect(await reasonOf(`${site.url}/a`)).toBe(reason);
  });
});
