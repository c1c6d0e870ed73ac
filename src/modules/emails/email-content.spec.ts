import { describe, expect, it } from '@jest/globals';
import { htmlOf, plainTextOf, presentableName, subjectOf } from './email-content.js';

const CONTENT = {
  subject: 'Ana\r\nBcc: other@example.com convida você',
  paragraphs: ['<img src=x onerror=alert(1)> & "Ana"', "It's here."],
  action: { label: 'Aceitar', url: 'https://prosa.example/app/join#prosa_inv_x' },
  footer: 'Prosa',
};

describe('the content of an e-mail', () => {
  it('has a subject of one line', () => {
    expect(subjectOf(CONTENT)).toBe('Ana Bcc: other@example.com convida você');
    expect(subjectOf({ ...CONTENT, subject: 'a'.repeat(500) })).toHaveLength(150);
  });

  it('escapes texts in HTML, and leaves them as they are in plain text', () => {
    const html = htmlOf(CONTENT);
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;Ana&quot;');
    expect(html).toContain('It&#39;s here.');
    expect(html).toContain('<a href="https://prosa.example/app/join#prosa_inv_x">Aceitar</a>');
    expect(html).not.toContain('<img');
    expect(plainTextOf(CONTENT)).toContain('<img src=x onerror=alert(1)> & "Ana"');
  });

  it.each([
    ['Clínica São José S.A.', 'Clínica São José S.A.'],
    ['Ana\u0000\n Silva\u202E', 'Ana Silva'],
    ['a'.repeat(200), 'a'.repeat(80)],
  ])('shows the name %j', (name, shown) => {
    expect(presentableName(name)).toBe(shown);
  });

  it.each(['Win at https://evil.example', 'www.evil', 'evil.example/x', 'call me@evil', ' \n '])(
    'shows no name such as %j',
    (name) => {
      expect(presentableName(name)).toBeNull();
    },
  );
});
