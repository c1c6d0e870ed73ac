import { describe, expect, it } from '@jest/globals';
import { BUNDLED_CATALOG_PATH, readCatalogFile } from '../catalog/catalog-file.js';
import { sampleTextIn } from './sample-texts.js';

describe('the greeting of a sample', () => {
  it('is there in each language of the bundled catalogue, and in no two languages the same', async () => {
    const { languages } = await readCatalogFile(BUNDLED_CATALOG_PATH);
    const english = sampleTextIn('en');
    const others = languages.filter(({ iso_2: code }) => code !== 'en');
    expect(others.filter(({ iso_2: code }) => sampleTextIn(code) === english)).toEqual([]);
    const texts = languages.map(({ iso_2: code }) => sampleTextIn(code));
    expect(new Set(texts).size).toBe(languages.length);
    // Vendors charge by the character.
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(60);
  });

  it('is English where there is none', () => {
    expect(sampleTextIn('eo')).toBe(sampleTextIn('en'));
  });
});
