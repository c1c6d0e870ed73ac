import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const DOCS = readdirSync('docs').filter((name) => name.endsWith('.md'));
const PAGES = ['README.md', 'CONTRIBUTING.md', ...DOCS.map((name) => `docs/${name}`)];
const PATH = /`((?:src|test|scripts|docker|web|bench|examples|clients)\/[^`\s<>*…]*)`/g;

describe('the pages for people', () => {
  it.each(PAGES)('%s names only files and folders that are there', (page) => {
    const named = [...readFileSync(page, 'utf8').matchAll(PATH)].map(([, path = '']) => path);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});
