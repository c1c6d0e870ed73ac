import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { spokenText } from '../spoken-text.js';
import { MarkdownText } from './markdown-text.js';

function inChunks(text: string, sizes: readonly number[]): string {
  const reader = new MarkdownText();
  let plain = '';
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    plain += reader.push(text.slice(at, at + size));
    at += size;
  }
  return plain + reader.end();
}

/** Text as models write it, with all that the reader looks at. */
const WRITTEN = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ' ',
        ' ',
        ' ',
        '\n',
        '\n\n',
        '. ',
        ', ',
        '? ',
        '*',
        '**',
        '_',
        '__',
        '`',
        '```\n',
        '~~',
        '#',
      ),
      fc.constantFrom(
        '# ',
        '- ',
        '1. ',
        '> ',
        '[',
        '](',
        '][',
        '[^1]',
        '[1]: ',
        ')',
        '![',
        '|',
        '|---|---|\n',
        '<b>',
        '</b>',
        '<br>',
        '&amp;',
      ),
      fc.constantFrom(
        '\\',
        '---\n',
        '- [ ] ',
        '👍🏽',
        '🇧🇷',
        '1️⃣',
        '*️⃣',
        '👩‍⚕️',
        '您好。',
        '早上',
        'สวัสดี',
        'é',
        'R$ 1.234,56',
      ),
      fc.constantFrom(
        'https://x.br/a?b=1',
        'ana_luz@x.com.br',
        'Sr. Lima',
        '5*3',
        'A|B',
        'palavra',
        'casa',
        'Não',
        '\u{20000}',
      ),
      fc.string({ minLength: 1, maxLength: 4 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));
const SIZES = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });

describe('what is markup', () => {
  it.each([
    [
      'a reference',
      'Veja [o site][1] e a [loja][].\n\n[1]: https://x.br/a "Título"\n[loja]: <https://x.br>',
      'Veja o site e a loja.',
    ],
    ['a footnote', 'Veja a nota[^1], fim.\n\n[^1]: Fonte do IBGE.', 'Veja a nota, fim. Fonte do IBGE.'],
    ['a summary', '<details><summary>Ver mais</summary>Aberto</details>', 'Ver mais. Aberto.'],
    ['a table of HTML', '<table><tr><td>Um</td><td>Dois</td></tr></table>', 'Um. Dois.'],
    [
      'emphasis',
      '**Atenção:** a _loja_ fecha ***cedo*** e ~~não~~ abre',
      'Atenção: a loja fecha cedo e não abre',
    ],
    [
      'emphasis in a word',
      '**Re**agende, foto**grafia** e **São Paulo**-SP',
      'Reagende, fotografia e São Paulo-SP',
    ],
    [
      'emphasis next to punctuation',
      '**Endereço:**rua 5 (**perto**) e **"Bia"**.',
      'Endereço:rua 5 (perto) e "Bia".',
    ],
    ['emphasis without spaces', '**营业时间：**早上*九点*开门', '营业时间：早上九点开门'],
    ['strong emphasis that is never closed', '**Importante: leve o RG', 'Importante: leve o RG'],
    [
      'strong emphasis of a whole paragraph',
      `**${'Leve o documento. '.repeat(20)}Até já.**`,
      `${'Leve o documento. '.repeat(20)}Até já.`,
    ],
    ['emphasis of two lines', '**Loja Sul\nRua 7** aberta', 'Loja Sul. Rua 7 aberta'],
    ['a heading', '## Horários ##\nAbrimos às 8h', 'Horários. Abrimos às 8h'],
    ['a list', 'Leve:\n- RG\n- CPF;\n* comprovante', 'Leve: RG. CPF; comprovante.'],
    ['a numbered list', '1) Ligue\n2) Espere', '1) Ligue. 2) Espere.'],
    ['a nested list', '- Planos\n    - Básico\n    - Pro', 'Planos. Básico. Pro.'],
    ['tasks', '- [ ] pagar\n- [x] assinar', 'pagar. assinar.'],
    ['a quotation', '> Volte sempre\n>\n> Equipe', 'Volte sempre. Equipe'],
    ['a link', 'Veja [a página de ajuda](https://a.br/x_y?z=1 "Ajuda") hoje', 'Veja a página de ajuda hoje'],
    ['a link with emphasis', '[**Pague** aqui](https://a.br)', 'Pague aqui'],
    ['a picture', '![mapa da loja](m.png) fica ali', 'mapa da loja fica ali'],
    [
      'a picture within its address',
      `![foto](data:image/png;base64,${'QUJD'.repeat(2_000)}) pronta`,
      'foto pronta',
    ],
    ['an address in angle brackets', '<https://a.br/x> ou <ana@a.br>', 'https://a.br/x ou ana@a.br'],
    ['code', 'digite `npm run x_y` e ``a`b``', 'digite npm run x_y e a`b'],
    ['a block of code', 'Assim:\n```js\nlet a_b = 1 * 2;\n```\nPronto', 'Assim: let a_b = 1 * 2; Pronto'],
    ['HTML', 'Olá<br/>tudo <b>bem</b>? <!-- nada -->&nbsp;Sim &lt;3', 'Olá. tudo bem? Sim <3'],
    [
      'a table',
      '| Dia | Hora |\n|:--|--:|\n| Seg | **8h** |\n| Ter | a\\|b |\n\nOk',
      'Dia, Hora. Seg, 8h. Ter, a|b. Ok',
    ],
    [
      'a table without outer pipes',
      'Dia | Hora\n--- | ---\nSeg | 8h\nTer | 9h',
      'Dia, Hora. Seg, 8h. Ter, 9h.',
    ],
    ['lines that separate', 'Um\n\n---\n\nDois\n===\nTrês', 'Um. Dois. Três'],
    ['escapes', '2 \\* 3 e \\_x\\_', '2 * 3 e _x_'],
    ['a line that goes on', 'Abrimos\nde segunda a sexta\nLigue', 'Abrimos de segunda a sexta. Ligue'],
  ])('is not spoken: %s', (_what, written, spoken) => {
    expect(spokenText(written)).toBe(spoken);
  });
});

describe('what only looks like markup', () => {
  it.each([
    'Escreva para maria_clara_souza@exemplo.com.br agora',
    'O código é AB_12_cd e o arquivo foto_1.png',
    'São 5*3*2 unidades, 2**10 vezes, de 5~7 a 8~~9',
    'Tecle # para confirmar, * para voltar ou (*) e "*".',
    'Disque *144# ou *#06# ou ligue para *611.',
    'Letra A|B|C, opção 1 | opção 2.',
    'CPF ***.456.789-** e cartão final **1234',
    'Se x < 5 e y > 3 então a&b; c && d',
    'https://a.br/caminho_longo/x*y?q=[1]&copy=2#topo',
    'Custa #1, hashtag #promo e -5 graus, +55 11 98765-4321',
    'Veja [nome do cliente] (nota) e d`água',
    'O item a[0][1] e o artigo [3] dizem',
    '[Nota]: ligue antes de vir',
    'snake_case, 5__6 e C:\\pasta',
    '2026 foi bom: 10.12.2026, 12h30',
  ])('is spoken as it is written: %s', (written) => {
    expect(spokenText(written)).toBe(written);
  });

  it('as a key at the beginning of a line or an item', () => {
    expect(spokenText('# para confirmar\n- # para repetir\n- * para voltar')).toBe(
      '# para confirmar. # para repetir. * para voltar.',
    );
  });

  it.each(['#', '*'])('as the key %s alone', (key) => expect(spokenText(`${key}\n`)).toBe(key));
});

describe('emoji', () => {
  it.each([
    ['skin tones, flags and families', 'Oi 👋🏿 🇵🇹 👨‍👩‍👧‍👦 fim', 'Oi fim'],
    ['a flag of a region', 'Gol 🏴󠁧󠁢󠁳󠁣󠁴󠁿!', 'Gol!'],
    ['signs with a mark for the picture', 'Amo ❤️, ligue ☎️. ©️ Certo ✔️', 'Amo, ligue. Certo'],
    ['within words', '✅Feito👍e pronto🎉', 'Feitoe pronto'],
    ['key caps, which are the keys', '3️⃣ e #️⃣ e *️⃣', '3 e # e *'],
    ['key caps at the beginning of a line', '#️⃣ confirma\n*️⃣ volta', '# confirma. * volta'],
    ['emphasised', '**👋 Olá** e **🎉**', 'Olá e'],
  ])('are not spoken: %s', (_what, written, spoken) => {
    expect(spokenText(written)).toBe(spoken);
  });

  it('are no signs of text, and no joiners of other scripts', () => {
    expect(spokenText('Prosa™ © 2026 ® ‼ क्‍ष می‌روم → 5 °C ½ €')).toBe(
      'Prosa™ © 2026 ® ‼ क्‍ष می‌روم → 5 °C ½ €',
    );
  });
});

describe('a text in chunks', () => {
  it('is spoken as the whole text is, wherever it is divided', () => {
    fc.assert(
      fc.property(WRITTEN, SIZES, (text, sizes) => {
        expect(inChunks(text, sizes)).toBe(inChunks(text, [1_000_000]));
      }),
      { numRuns: 1_500 },
    );
  });

  it('loses no character of words, numbers and punctuation', () => {
    const word = fc.stringMatching(/^[A-Za-zÀ-ÿ0-9ç]{1,8}(?:[_@./*~|#-][A-Za-z0-9]{1,5})?[.,!?;:]?$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), SIZES, (words, sizes) => {
        const text = `x ${words.join(' ')}`;
        expect(inChunks(text, sizes)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('is given word by word where no markup is open', () => {
    const reader = new MarkdownText();
    expect(reader.push('O **Sr. Lima** vem amanhã. De')).toBe('O Sr. Lima vem amanhã.');
    expect(reader.push('pois')).toBe('');
    expect(reader.push(' tecle')).toBe(' Depois');
    expect(reader.push(' *144 ')).toBe(' tecle');
    expect(reader.push('agora ou mais tarde, se for melhor, e depois espere o sinal ')).toContain(
      '*144 agora',
    );
  });

  it.each([
    ['asterisks', '*'],
    ['brackets', '['],
    ['links that have begun', '[a]('],
    ['emphasis that has begun', '*a '],
    ['code that has begun', '`a '],
    ['tags that have begun', '<a '],
    ['quotations', '> '],
    ['pipes', '|'],
    ['rows', '| a '],
    ['line feeds', '\n'],
    ['fences', '```\n'],
    ['letters', 'a'],
    ['entities', '&amp;'],
  ])('is read in linear time: %s', (_what, part) => {
    const read = (length: number) => {
      const began = performance.now();
      inChunks(part.repeat(length / part.length), [50]);
      return performance.now() - began;
    };
    read(20_000);
    const one = read(50_000);
    const eight = read(400_000);
    expect(eight).toBeLessThan(8 * one * 4 + 500);
  });
});
