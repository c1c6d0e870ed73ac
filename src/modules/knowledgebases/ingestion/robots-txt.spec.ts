import { describe, expect, it } from '@jest/globals';
import { RobotsTxt } from './robots-txt.js';

const SITE = 'https://example.com';

const permits = (lines: readonly string[], path: string) =>
  new RobotsTxt(lines.join('\n'), 'ProsaBot').permits(SITE + path);

describe('RobotsTxt', () => {
  it.each([
    ['/fish', '/fish/salmon?id=1', true],
    ['/fish', '/catfish', false],
    ['/*.php', '/folder/a.php?x', true],
    ['/*.php$', '/folder/a.php', true],
    ['/*.php$', '/a.php/b.php', true],
    ['/*.php$', '/a.php?x', false],
    ['/a***b*c', '/a-b-b-c', true],
    ['/a*b*c', '/a-c-b', false],
    ['/ab*ba$', '/aba', false],
    ['/$', '/', true],
    ['/$', '/a', false],
    ['*', '/a', true],
    ['/ação', '/a%c3%a7%C3%A3o', true],
    ['/a%2fb', '/a%2Fb', true],
    ['/?q=', '/?q=1', true],
    ['fish', '/fish', false],
  ])('%s and the path %s: %s', (pattern, path, isMatching) => {
    expect(permits(['User-agent: *', `Disallow: ${pattern}`], path)).toBe(!isMatching);
  });

  it('obeys the longest rule that matches, and of two as long the one that allows', () => {
    const lines = ['User-agent: *', 'Disallow: /a', 'Allow: /a/b', 'Disallow: /c', 'Allow: /c'];

    expect(permits(lines, '/a/x')).toBe(false);
    expect(permits(lines, '/a/b')).toBe(true);
    expect(permits(lines, '/c')).toBe(true);
  });

  it('obeys what is said to its name, else what is said to everybody', () => {
    const everybody = ['User-agent: *', 'Disallow: /'];
    const others = ['User-agent: OtherBot', 'Disallow: /a', ''];
    const us = ['user-agent: OtherBot', 'USER-AGENT: prosabot/2.1 # us', 'Disallow: /b', ''];

    expect(permits([...others], '/a')).toBe(true);
    expect(permits([...others, ...everybody], '/x')).toBe(false);
    expect(permits([...others, ...us, ...everybody], '/a')).toBe(true);
    expect(permits([...others, ...us, ...everybody], '/b')).toBe(false);
    expect(permits([...everybody, 'User-agent: ProsaBot', 'Disallow:'], '/x')).toBe(true);
  });

  it('joins the groups of one robot, and ignores rules before the first group', () => {
    const lines = [
      'Disallow: /a',
      'User-agent: *',
      'Disallow: /b',
      'Sitemap: /s',
      'User-agent: *',
      'Disallow: /c',
    ];

    expect(['/a', '/b', '/c'].map((path) => permits(lines, path))).toEqual([true, false, false]);
  });

  it('knows the delay it is asked to keep', () => {
    const delayOf = (...lines: string[]) => new RobotsTxt(lines.join('\r\n'), 'ProsaBot').crawlDelaySeconds;

    expect(delayOf('User-agent: *', 'Crawl-delay: 2.5')).toBe(2.5);
    expect(delayOf('User-agent: *', 'Crawl-delay: soon')).toBe(0);
    expect(delayOf('User-agent: OtherBot', 'Crawl-delay: 2')).toBe(0);
    expect(delayOf()).toBe(0);
  });

  it.each([
    [
      'a name and a rule in each of 30,000 lines',
      ['User-agent: *\n'.repeat(15_000), 'Disallow: /a\n'.repeat(15_000)],
    ],
    [
      'names and rules of all robots',
      Array.from({ length: 15_000 }, (_, at) => `User-agent: r${at}\nDisallow: /a`),
    ],
    ['rules of wildcards', ['User-agent: *', `Disallow: /${'*a'.repeat(1_000)}b\n`.repeat(250)]],
    ['rules that nearly match', ['User-agent: *', `Disallow: /*${'a'.repeat(1_000)}b\n`.repeat(500)]],
    ['one rule of 500,000 wildcards', ['User-agent: *', `Disallow: /${'*'.repeat(500_000)}b`]],
  ])('is read in a moment however it is made: %s', (_, lines) => {
    const startedAt = performance.now();

    expect(permits([...lines, '', 'User-agent: ProsaBot', 'Disallow: /b'], `/${'a'.repeat(2_000)}`)).toBe(
      true,
    );
    expect(permits(lines, `/c${'a'.repeat(2_000)}`)).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it('looks at no more than 2,000 rules', () => {
    const lines = ['User-agent: *', 'Disallow: /a', 'Disallow: /b\n'.repeat(2_000), 'Disallow: /c'];

    expect(['/a', '/c'].map((path) => permits(lines, path))).toEqual([false, true]);
  });
});
