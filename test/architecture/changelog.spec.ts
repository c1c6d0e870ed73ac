import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';

const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
const MAX_WORDS = 25;
const MAX_README_LINES = 200;

const lines = readFileSync('CHANGELOG.md', 'utf8').split('\n');
const entries = lines.filter((line) => line.startsWith('- '));

describe('the changelog', () => {
  it('sorts entries into the kinds of Keep a Changelog', () => {
    const headings = lines.filter((line) => line.startsWith('### ')).map((line) => line.slice(4));
    expect(headings.length).toBeGreaterThan(0);
    expect(headings.filter((heading) => !KINDS.includes(heading))).toEqual([]);
  });

  it('has one line for each entry', () => {
    expect(lines.filter((line) => /^\s+\S/.test(line))).toEqual([]);
  });

  it(`has at most ${MAX_WORDS} words in an entry`, () => {
    expect(entries.filter((entry) => entry.slice(2).split(/\s+/).length > MAX_WORDS)).toEqual([]);
  });

  it('names each change once', () => {
    expect(entries.filter((entry, index) => entries.indexOf(entry) !== index)).toEqual([]);
  });
});

describe('the README', () => {
  it(`has at most ${MAX_README_LINES} lines`, () => {
    expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThanOrEqual(MAX_README_LINES);
  });
});
