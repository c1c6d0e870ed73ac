import { describe, expect, it } from '@jest/globals';
import { ssmlOf } from './ssml.js';

const line = (text: string, more: object = {}) =>
  ssmlOf({ text, voice: 'pt-BR-FranciscaNeural', language: 'pt-BR', ...more });
const wordsOf = (ssml: string) => /<voice [^>]*>(.*)<\/voice>/s.exec(ssml)?.[1];

describe('a line as SSML', () => {
  it.each([
    ['a < b & c > d', 'a &lt; b &amp; c &gt; d'],
    ['</voice><voice name="x">', '&lt;/voice&gt;&lt;voice name=&quot;x&quot;&gt;'],
    ["d'água &amp; sal", 'd&apos;água &amp;amp; sal'],
    [']]>', ']]&gt;'],
    ['olá 😀', 'olá 😀'],
    ['a\u0000b\u001fc\ufffed', 'a b c d'],
    ['meio \ud83d par', 'meio   par'],
  ])('has signs as signs: %j', (text, expected) => {
    expect(wordsOf(line(text))).toBe(expected);
  });

  it('has a pace where it is another than the voice has', () => {
    expect(wordsOf(line('Oi', { speed: 1 }))).toBe('Oi');
    expect(wordsOf(line('Oi', { speed: 0.8 }))).toBe('<prosody rate="0.8">Oi</prosody>');
  });

  it('lets nothing of a name become an attribute', () => {
    const ssml = line('Oi', { voice: 'a" b="c', language: 'pt"><x' });
    expect(ssml).toContain('name="a&quot; b=&quot;c"');
    expect(ssml).toContain('xml:lang="pt&quot;&gt;&lt;x"');
  });
});
