import { describe, expect, it } from '@jest/globals';
import { charsetOf, decodeText } from './decode-text.js';

const latin = (text: string) => Buffer.from(text, 'latin1');
const bytesOf = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('decodeText', () => {
  it.each([
    ['plain UTF-8', bytesOf('Ação e café'), undefined, 'Ação e café'],
    ['ISO-8859-1 as the sender names it', latin('Ação e café'), 'ISO-8859-1', 'Ação e café'],
    ['ISO-8859-1 without a name', latin('Ação e café'), undefined, 'Ação e café'],
    ['ISO-8859-1 that is called UTF-8', latin('São João, pão, avó'), 'utf-8', 'São João, pão, avó'],
    ['UTF-8 that is called ISO-8859-1', bytesOf('São João'), 'iso-8859-1', 'São João'],
    ['an unknown charset', bytesOf('Ação'), 'x-unheard-of', 'Ação'],
    ['a misspelt charset', latin('Ação'), 'latin-1', 'Ação'],
    ['a misspelt charset of Windows', bytesOf([0x93, 0x80, 0x94]), 'Windows1252', '“€”'],
    ['Shift_JIS', bytesOf([0x93, 0xfa, 0x96, 0x7b]), 'Shift_JIS', '日本'],
    ['UTF-8 with its mark', bytesOf([0xef, 0xbb, 0xbf], 'ação'), undefined, 'ação'],
    ['a mark that contradicts the sender', bytesOf([0xef, 0xbb, 0xbf], 'ação'), 'iso-8859-1', 'ação'],
    ['UTF-16 with its mark', bytesOf([0xff, 0xfe], [...Buffer.from('ação', 'utf16le')]), undefined, 'ação'],
    ['big-endian UTF-16 with its mark', bytesOf([0xfe, 0xff], [...utf16be('ação')]), 'utf-8', 'ação'],
    ['UTF-16 without a mark', Buffer.from('{"ok":"ação"}', 'utf16le'), undefined, '{"ok":"ação"}'],
    ['big-endian UTF-16 without a mark', utf16be('<a>ação</a>'), undefined, '<a>ação</a>'],
    ['nothing', bytesOf(''), undefined, ''],
  ])('reads %s', (_what, bytes, charset, text) => {
    expect(decodeText(bytes, { charset })).toBe(text);
  });

  it.each([
    ['an XML prolog', '<?xml version="1.0" encoding="ISO-8859-1"?><rua>Conceição</rua>'],
    [
      'an XML prolog in single quotes',
      "<?xml version='1.0' encoding='iso-8859-15' standalone='yes'?><a>ñ</a>",
    ],
    ['an HTML meta', '<!doctype html><html><head><meta charset=windows-1252><p>Conceição'],
    [
      'an HTML meta with a media type',
      '<html><meta http-equiv="content-type" content="text/html; charset=iso-8859-1"><p>Olá',
    ],
  ])('follows %s', (_what, text) => {
    // Without the name it would be read as UTF-8: more of its characters are.
    const mixed = Buffer.concat([latin(text), latin('Ã©Ã©Ã©Ã©é')]);
    expect(decodeText(mixed)).toBe(`${text}Ã©Ã©Ã©Ã©é`);
  });

  it('takes the charset of the sender before that of the document', () => {
    const text = '<?xml version="1.0" encoding="ISO-8859-1"?><a>日本</a>';
    expect(decodeText(bytesOf(text), { charset: 'utf-8' })).toBe(text);
  });

  it('takes a prolog that names UTF-16, in bytes that are none, for UTF-8', () => {
    const text = '<?xml version="1.0" encoding="UTF-16"?><a>Ação</a>';
    expect(decodeText(bytesOf(text))).toBe(text);
  });

  it('marks a wrong byte, and keeps the text around it', () => {
    const text = decodeText(bytesOf('Não estão ', [0xff], ' à venda'));
    expect(text).toBe('Não estão \uFFFD à venda');
    expect(decodeText(bytesOf([0x93, 0xfa, 0xff, 0x96, 0x7b]), { charset: 'shift_jis' })).toContain('日');
  });

  it('leaves out a character that was cut in two', () => {
    expect(decodeText(bytesOf('pão').subarray(0, 2), { isCut: true })).toBe('p');
    expect(decodeText(bytesOf('a日').subarray(0, 3), { isCut: true })).toBe('a');
    expect(decodeText(bytesOf('pão', [0xc3]))).toBe('pão\uFFFD');
  });
});

describe('charsetOf', () => {
  it.each([
    ['text/xml; charset=ISO-8859-1', 'ISO-8859-1'],
    ['text/html;charset="utf-8"', 'utf-8'],
    ["text/plain; x=y; charset='latin1'; z", 'latin1'],
    ['application/json', undefined],
    [undefined, undefined],
  ])('of %s is %s', (contentType, charset) => {
    expect(charsetOf(contentType)).toBe(charset);
  });
});
