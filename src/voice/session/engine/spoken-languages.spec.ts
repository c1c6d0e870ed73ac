import { describe, expect, it } from '@jest/globals';
import { SpokenLanguages } from './spoken-languages.js';

describe('SpokenLanguages', () => {
  it('follows the customer from one of the languages to another and back, and ignores all others', () => {
    const switches: string[] = [];
    const languages = new SpokenLanguages(
      [
        { iso2: 'pt', locale: 'pt-BR' },
        { iso2: 'en', locale: 'en-US' },
      ],
      ({ locale }) => switches.push(locale),
    );
    for (const tag of ['pt', 'pt-PT', 'en-GB', 'en', 'fr', 'xx-not a tag', 'por', 'pt-BR'])
      languages.heard(tag);
    expect(switches).toEqual(['en-US', 'pt-BR']);
  });
});
