import { describe, expect, it } from '@jest/globals';
import { type LinkSignature, LinkSigner } from '../../../common/crypto/link-signer.js';
import type { ServerConfig } from '../../../config/config.js';
import { ANSWER_LIFE_MS, RecordingLinksService } from './recording-links.service.js';

const NOW = Date.UTC(2026, 0, 31, 18, 30);
const HOUR_MS = 3_600_000;

function linksAt(server: Partial<ServerConfig> = {}): RecordingLinksService {
  const config = { publicUrl: undefined, host: '0.0.0.0', port: 3000, ...server } as ServerConfig;
  return new RecordingLinksService(new LinkSigner([Buffer.alloc(32, 7).toString('base64')]), config);
}

describe('RecordingLinksService', () => {
  /** Call, expiry and signature of a link. */
  function partsOf(link: string): [number, LinkSignature] {
    const { pathname, searchParams } = new URL(link, 'https://prosa.example');
    const { expires = '', signature = '' } = Object.fromEntries(searchParams);
    return [Number(pathname.split('/').at(-1)), { expires, signature }];
  }

  it('makes links that are good until they expire', () => {
    const links = linksAt();
    const [callId, signature] = partsOf(links.linkTo(7, ANSWER_LIFE_MS, NOW));
    expect(callId).toBe(7);
    expect(links.isGood(7, signature, NOW)).toBe(true);
    expect(links.isGood(7, signature, NOW + ANSWER_LIFE_MS - 1)).toBe(true);
    expect(links.isGood(7, signature, NOW + ANSWER_LIFE_MS + HOUR_MS)).toBe(false);
  });

  it('makes the same link again within an hour', () => {
    const links = linksAt();
    expect(links.linkTo(7, ANSWER_LIFE_MS, NOW + 60_000)).toBe(links.linkTo(7, ANSWER_LIFE_MS, NOW));
  });

  it('knows no link that was changed', () => {
    const links = linksAt();
    const [, { expires, signature }] = partsOf(links.linkTo(7, ANSWER_LIFE_MS, NOW));
    const other = (first: string) => (first === 'A' ? 'B' : 'A');
    expect(links.isGood(8, { expires, signature }, NOW)).toBe(false);
    for (const changed of [
      { expires: String(Number(expires) + 3_600), signature },
      { expires, signature: signature.replace(/^./, other) },
      { expires, signature: signature.replace(/.$/, other) },
      { expires, signature: '' },
      { expires: 'undefined', signature: 'undefined' },
    ]) {
      expect([changed, links.isGood(7, changed, NOW)]).toEqual([changed, false]);
    }
  });

  it('gives webhooks the public address of the server, or the one it listens on', () => {
    expect(linksAt().webhookUrlOf(7)).toMatch(
      /^http:\/\/localhost:3000\/api\/recordings\/7\?expires=\d+&signature=[\w-]{43}$/,
    );
    expect(linksAt({ publicUrl: 'https://prosa.example' }).webhookUrlOf(7)).toMatch(
      /^https:\/\/prosa\.example\/api\/recordings\/7\?/,
    );
  });
});
