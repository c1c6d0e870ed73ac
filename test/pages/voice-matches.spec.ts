import { describe, expect, it } from '@jest/globals';
import type { VoiceResponse } from '#client/types.gen.js';
import { fits } from '#web/console/src/pages/assistants/voices/voice-matches.js';

const antonio: VoiceResponse = {
  id: 1,
  name: 'Antônio',
  language_id: 1,
  gender: 'male',
  preview_url: null,
  accent: 'Paulista',
  age: 'middle aged',
  synthesizer_provider_id: 2,
  available: true,
  unavailable_reason: null,
};

describe('A voice fits what a person searches for', () => {
  it.each([
    ['', null, true],
    ['antonio', null, true],
    ['  PAULISTA  antônio ', null, true],
    ['antonio mineiro', null, false],
    ['antonio', 2, true],
    ['antonio', 3, false],
    ['', 3, false],
  ])('"%s" of the vendor %s: %s', (search, vendorId, isFound) => {
    expect(fits(antonio, { search, vendorId })).toBe(isFound);
  });

  it('also where its provider says nothing of it', () => {
    expect(fits({ ...antonio, accent: null, age: null }, { search: 'null', vendorId: null })).toBe(false);
  });
});
