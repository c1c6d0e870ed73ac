import { describe, expect, it } from '@jest/globals';
import { LinkSigner } from './link-signer.js';

const [OLD = '', NEW = ''] = [1, 2].map((fill) => Buffer.alloc(32, fill).toString('base64'));

describe('LinkSigner', () => {
  it('knows its own signatures, and none of other content or another key', () => {
    const signer = new LinkSigner([NEW]);
    const signed = signer.sign('recording:7:1763800000');
    expect(signed).toMatch(/^[\w-]{43}$/);
    expect(signer.isSigned('recording:7:1763800000', signed)).toBe(true);
    expect(signer.isSigned('recording:8:1763800000', signed)).toBe(false);
    expect(new LinkSigner([OLD]).isSigned('recording:7:1763800000', signed)).toBe(false);
    for (const wrong of ['', 'x', signed.slice(1), `${signed}a`]) {
      expect([wrong, signer.isSigned('recording:7:1763800000', wrong)]).toEqual([wrong, false]);
    }
  });

  it('still knows links that were signed before the key was changed', () => {
    const signed = new LinkSigner([OLD]).sign('recording:7:1763800000');
    expect(new LinkSigner([NEW, OLD]).isSigned('recording:7:1763800000', signed)).toBe(true);
    expect(new LinkSigner([NEW, OLD]).sign('recording:7:1763800000')).not.toBe(signed);
  });

  it('makes queries that are valid for their content alone, and until they expire', () => {
    const signer = new LinkSigner([NEW]);
    const query = new URLSearchParams(signer.expiringQuery('recording:7', 1_763_800_000));
    const link = { expires: query.get('expires') ?? '', signature: query.get('signature') ?? '' };
    const isValid = (content: string, change: Partial<typeof link> = {}, nowSeconds = 1_763_799_999) =>
      signer.isValid(content, { ...link, ...change }, nowSeconds * 1_000);
    expect(isValid('recording:7')).toBe(true);
    expect(isValid('recording:7', {}, 1_763_800_000)).toBe(false);
    expect(isValid('shared recording:7')).toBe(false);
    expect(isValid('recording:7', { expires: '1763800001' })).toBe(false);
    expect(isValid('recording:7', { expires: '1763800000.5' })).toBe(false);
  });
});
