import { describe, expect, it } from '@jest/globals';
import { storedTags } from './tags.js';

describe('storedTags', () => {
  it('sorts tags, and drops blanks, empty ones and those that are given twice', () => {
    expect(storedTags([' b ', 'a', 'b', '  ', 'é'])).toEqual(['a', 'b', 'é']);
  });
});
