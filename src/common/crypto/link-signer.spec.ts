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
});
