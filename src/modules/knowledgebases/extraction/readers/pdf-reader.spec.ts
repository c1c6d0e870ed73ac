import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { HELVETICA, lines, onePage, placedPdf, rawPdf, streamOf } from '#test/support/placed-pdf.js';
import { UnreadableError } from '../../failure.js';
import { readPdf } from './pdf-reader.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prosa-pdf-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(content: Buffer) {
  const path = join(folder, 'file.pdf');
  await writeFile(path, content);
  return readPdf(path);
}

async function textsOf(content: Buffer): Promise<string[]> {
  const { blocks } = await read(content);
  return blocks.map(({ text }) => text);
}

async function reasonOf(content: Buffer): Promise<string | undefined> {
  const outcome: unknown = await read(content).catch((error: unknown) => error);
  return outcome instanceof UnreadableError ? outcome.failure.key : undefined;
}

describe('rows and columns', () => {
  it('reads a table by its rows, in whatever order its columns are written, with cells that are empty', async () => {
    const rows = [700, 684, 668, 652];
    const column = (x: number, texts: readonly string[]) =>
      texts.flatMap((text, index) => (text === '' ? [] : [{ text, x, y: rows[index] ?? 0 }]));
    const content = await placedPdf([
      [
        ...column(400, ['Estoque', '4', '9', '2']),
        ...column(60, ['Produto', 'Poltrona', 'Luminária', 'Tapete']),
        ...column(250, ['Preço', '$ 310', '', '$ 95']),
      ],
    ]);

    expect(await textsOf(content)).toEqual([
      'Produto | Preço | Estoque',
      'Poltrona | $ 310 | 4',
      'Luminária | | 9',
      'Tapete | $ 95 | 2',
    ]);
  });

  it('reads columns of an article one after the other, also when their lines are written in turn', async () => {
    const left = [
      'The workshop repairs wooden chairs',
      'and tables of every age, and gives',
      'a written estimate before it starts',
      'with any of the work on a piece of',
      'furniture that you bring to us.',
    ];
    const right = [
      'Deliveries leave the warehouse on',
      'Tuesdays and Fridays at eight, and',
      'the driver rings half an hour before',
      'he arrives, so that a person can be',
      'at home to open the door for him.',
    ];
    const [first, second] = [lines(left), lines(right, { x: 310 })];
    const inTurn = first.flatMap((line, index) => [line, ...second.slice(index, index + 1)]);
    const content = await placedPdf([[{ text: 'Terms of service', x: 60, y: 800, size: 20 }, ...inTurn]]);

    expect(await textsOf(content)).toEqual(['Terms of service', left.join(' '), right.join(' ')]);
  });

  it('keeps the lines of one cell together where rows of a table are set apart', async () => {
    const content = await placedPdf([
      [700, 650, 600, 550].flatMap((y, row) => [
        { text: `What does service ${'ABCD'[row]} cost?`, x: 60, y },
        { text: 'It costs forty for a visit at your', x: 250, y },
        { text: `home within the town, tax ${'ABCD'[row]}.`, x: 250, y: y - 13 },
      ]),
    ]);

    expect((await textsOf(content))[1]).toBe(
      'What does service B cost? | It costs forty for a visit at your home within the town, tax B.',
    );
  });

  it('does not take the marks of a list for a column', async () => {
    const items = ['Free parking for all guests', 'Breakfast from seven to ten', 'Late check-out on request'];
    const content = await placedPdf([
      lines(items, { x: 90 }).flatMap((item) => [{ text: '•', x: 60, y: item.y }, item]),
    ]);

    expect(await textsOf(content)).toEqual(items.map((item) => `• ${item}`));
  });

  it('reads lines across a watermark and next to a drop cap one by one', async () => {
    const text = ['the first line of it', 'the second line of it', 'the third line of it'];
    const watermark = await placedPdf([
      [{ text: 'A', x: 60, y: 690, size: 120 }, ...lines(text, { y: 720 })],
    ]);
    const initial = await placedPdf([
      [{ text: 'O', x: 60, y: 692, size: 36 }, ...lines(text, { x: 92, y: 720 })],
    ]);

    expect((await textsOf(watermark)).join(' ')).toContain(text.join(' '));
    expect((await textsOf(initial)).join(' ')).toContain(text.slice(0, 2).join(' '));
  });

  it('reads the cents of a price, an exponent and the mark of a note as such', async () => {
    const content = await placedPdf([
      [
        { text: 'Cadeira R$ 199', x: 60, y: 700 },
        { text: '90', x: 135.5, y: 705, size: 7 },
        { text: 'Sala de 30 m', x: 60, y: 680 },
        { text: '2', x: 124, y: 685, size: 7 },
      ],
    ]);

    expect((await textsOf(content)).join(' ')).toBe('Cadeira R$ 199,90 Sala de 30 m²');
  });
});

describe('words that are printed twice', () => {
  it('are read once, for false bold and for shadows', async () => {
    const content = await placedPdf([
      [
        { text: 'Aberto aos domingos', x: 60, y: 700, size: 18 },
        { text: 'Aberto aos domingos', x: 61.5, y: 698.5, size: 18 },
        { text: 'das dez às quinze horas.', x: 60, y: 670 },
        { text: 'das dez às quinze horas.', x: 60.2, y: 670 },
        { text: 'das dez às quinze horas.', x: 60.4, y: 670 },
      ],
    ]);

    expect(await textsOf(content)).toEqual(['Aberto aos domingos', 'das dez às quinze horas.']);
  });

  it('are read as often as they are at different places', async () => {
    const content = await placedPdf([
      [700, 684, 668].flatMap((y) => [
        { text: 'Sim', x: 60, y },
        { text: 'Sim', x: 160, y },
      ]),
    ]);

    expect(await textsOf(content)).toEqual(['Sim | Sim', 'Sim | Sim', 'Sim | Sim']);
  });
});

describe('lines at the edges of pages', () => {
  const body = (page: number) =>
    lines(
      Array.from({ length: 12 }, (_, line) => `Text ${'abcdefghijkl'[line]} of part ${'ABCDEF'[page]}.`),
      { y: 700 },
    );
  const pagesWith = (edges: (page: number) => { text: string; x: number; y: number; size?: number }[]) =>
    placedPdf(Array.from({ length: 6 }, (_, page) => [...edges(page), ...body(page)]));

  it('are rows of data when their numbers do not count the pages', async () => {
    const texts = await textsOf(
      await pagesWith((page) => [{ text: `Quarto ${page * 4 + 1} diária ${90 + page * 7}`, x: 60, y: 760 }]),
    );

    expect(texts.join(' ')).toContain('Quarto 9 diária 104');
    expect(texts.join(' ').match(/Quarto \d+ diária \d+/g)).toHaveLength(6);
  });

  it('are titles when they count the pages in few words or large letters', async () => {
    const short = await textsOf(await pagesWith((page) => [{ text: `Lote ${page + 1}`, x: 60, y: 760 }]));
    const large = await textsOf(
      await pagesWith((page) => [{ text: `Our house rules, part ${page + 1}`, x: 60, y: 760, size: 18 }]),
    );

    expect(short.join(' ').match(/Lote \d/g)).toHaveLength(6);
    expect(large.join(' ').match(/part \d/g)).toHaveLength(6);
  });

  it('are left out when they number the pages, and kept once when they are always the same', async () => {
    const texts = await textsOf(
      await pagesWith((page) => [
        { text: 'Hotel Beira-Mar, telefone 48 3222-1000', x: 60, y: 800 },
        { text: `Página ${page + 1} de 6`, x: 260, y: 40 },
      ]),
    );

    expect(texts.join(' ').match(/3222-1000/g)).toHaveLength(1);
    expect(texts.join(' ')).not.toContain('Página');
  });
});

describe('words that are parted at the end of a line', () => {
  it.each([
    ['a weekday', ['Fechamos na terça-', 'feira de carnaval.'], 'terça-feira de'],
    ['a compound', ['Armário do tipo guarda-', 'roupa.'], 'guarda-roupa'],
    ['a verb with its pronoun', ['Podemos entregá-', 'lo amanhã.'], 'entregá-lo amanhã'],
    ['a reflexive verb', ['Aluga-', 'se por dia.'], 'Aluga-se por'],
    ['a word with the same ending as such a verb', ['Veja a tabe-', 'la de preços.'], 'a tabela de'],
    ['an ordinary word', ['Oferecemos estaciona-', 'mento gratuito.'], 'estacionamento gratuito'],
    [
      'a compound that occurs elsewhere',
      ['O pão-de-ló é fresco. Um pão-de-', 'ló custa 9.'],
      'Um pão-de-ló custa',
    ],
    ['a word that occurs elsewhere', ['O cabelo seca. Corte de cabe-', 'lo custa 9.'], 'de cabelo custa'],
    ['a number', ['Ligue 4002-', '8922 hoje.'], '4002-8922 hoje'],
    ['a name', ['A ponte Rio-', 'Niterói fecha.'], 'Rio-Niterói fecha'],
  ])('are joined as they are written: %s', async (_name, text, expected) => {
    expect((await textsOf(await placedPdf([lines(text)]))).join(' ')).toContain(expected);
  });
});

describe('fonts that are not embedded', () => {
  const cidFont = (encoding: string, ordering: string) => [
    `<< /Type /Font /Subtype /Type0 /BaseFont /Sun /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Sun /DW 1000 /FontDescriptor 7 0 R
        /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> >>`,
    '<< /Type /FontDescriptor /FontName /Sun /Flags 4 /FontBBox [0 -200 1000 900] /Ascent 800 /Descent -200 >>',
  ];

  it.each([
    ['Korean', 'KSCms-UHC-H', 'Korea1', 'bfb5bef7bdc3b0a3', '영업시간'],
    ['traditional Chinese', 'ETen-B5-H', 'CNS1', 'c0e7b77eaec9b6a1', '營業時間'],
    ['Japanese', 'EUC-H', 'Japan1', 'c4eab5d9c6fc', '定休日'],
    ['vertical Japanese', 'UniJIS-UTF16-V', 'Japan1', '5b9a4f1165e5', '定休日'],
  ])('are decoded: %s', async (_name, encoding, ordering, hex, expected) => {
    const content = `BT /F1 14 Tf 60 760 Td <${hex}> Tj ET`;

    expect(await textsOf(rawPdf(onePage(content, cidFont(encoding, ordering))))).toEqual([expected]);
  });
});

describe('scripts that are read from right to left', () => {
  // A font that has the letters under the codes of A, B, …; text is written as it is seen from left to right.
  const pdfOf = (words: readonly { readonly x: number; readonly text: string }[], letters: string) => {
    const codeOf = (index: number) => (0x41 + index).toString(16);
    const map = Array.from(letters, (letter, index) => {
      const unicode = letter.charCodeAt(0).toString(16).padStart(4, '0');
      return `<${codeOf(index)}> <${unicode}>`;
    });
    const content = words
      .map(({ x, text }) => {
        const codes = Array.from(text, (letter) => codeOf(letters.indexOf(letter))).join('');
        return `BT /F1 12 Tf ${x} 700 Td <${codes}> Tj ET`;
      })
      .join(' ');
    const font =
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 6 0 R >>';
    const range = '1 begincodespacerange <00> <ff> endcodespacerange';
    const unicode = `begincmap ${range} ${map.length} beginbfchar ${map.join(' ')} endbfchar endcmap`;
    return rawPdf(onePage(content, [font], { more: [streamOf(unicode)] }));
  };
  const seen = (word: string) => Array.from(word).toReversed().join('');

  it.each([
    ['Hebrew', 'פתוח', 'בשבת'],
    ['Arabic', 'مفتوح', 'الجمعة'],
  ])('have their words in logical order, and numbers as they are: %s', async (_name, first, second) => {
    const letters = [...new Set(`${first}${second}0123456789`)].join('');
    const words = [
      { x: 60, text: '18' },
      { x: 90, text: seen(second) },
      { x: 150, text: seen(first) },
    ];

    expect(await textsOf(pdfOf(words, letters))).toEqual([`${first} ${second} 18`]);
  });

  it('have the letters of ligatures in their order', async () => {
    // A ligature of lam and alef in its final form, within "سلام".
    const letters = 'مسﻼ';

    expect(await textsOf(pdfOf([{ x: 60, text: 'مﻼس' }], letters))).toEqual(['سلام']);
  });
});

describe('forms', () => {
  it('are read with what is filled in, behind its label', async () => {
    const pdf = await PDFDocument.create();
    const font = await pdf.embedFont(StandardFonts.Helvetica);
    const page = pdf.addPage([595, 842]);
    const form = pdf.getForm();
    ['Check-in', 'Room type', 'Breakfast', 'Parking'].forEach((label, index) =>
      page.drawText(label, { x: 60, y: 700 - index * 30, size: 11, font }),
    );
    const at = (index: number) => ({ x: 160, y: 695 - index * 30, width: 120, height: 20 });
    form.createTextField('time').addToPage(page, at(0));
    form.getTextField('time').setText('15:30');
    const kinds = form.createDropdown('kind');
    kinds.addOptions(['Single', 'Double']);
    kinds.select('Double');
    kinds.addToPage(page, at(1));
    const breakfast = form.createCheckBox('breakfast');
    breakfast.addToPage(page, { ...at(2), width: 20 });
    breakfast.check();
    form.createCheckBox('parking').addToPage(page, { ...at(3), width: 20 });

    expect((await textsOf(Buffer.from(await pdf.save()))).join('\n')).toMatch(
      /Check-in[ |]+15:30\nRoom type[ |]+Double\nBreakfast[ |]+\[x\]\nParking$/,
    );
  });

  it('keep passwords and remarks of readers out, and what is typed onto the page in', async () => {
    const annotation = (rest: string) => `<< /Type /Annot /Rect [160 690 400 710] /F 4 ${rest} >>`;
    const content = 'BT /F1 11 Tf 60 696 Td (Reservation code:) Tj ET';
    const file = rawPdf(
      onePage(content, [HELVETICA], {
        page: '/Annots [6 0 R 7 0 R 8 0 R]',
        catalogue: '/AcroForm << /Fields [6 0 R] >>',
        more: [
          annotation('/Subtype /Widget /FT /Tx /Ff 8192 /T (pin) /V (hunter2)'),
          annotation('/Subtype /Text /Contents (ask the boss)'),
          annotation('/Subtype /FreeText /DA (/Helv 11 Tf) /Contents (QX-77)'),
        ],
      }),
    );

    const text = (await textsOf(file)).join(' ');
    expect(text).toMatch(/code:[ |]+QX-77/);
    expect(text).not.toMatch(/hunter2|boss/);
  });

  it('of XFA that cannot be read are named', async () => {
    const file = rawPdf(
      onePage('BT /F1 11 Tf 60 700 Td (Please wait for the contents of this document) Tj ET', [HELVETICA], {
        catalogue: '/AcroForm << /Fields [] /XFA 6 0 R >> /NeedsRendering true',
        more: [streamOf('<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><broken')],
      }),
    );

    expect(await reasonOf(file)).toBe('ingestion.xfa');
  });
});

describe('pages that cannot be read', () => {
  const SCAN = 'q 400 0 0 600 50 100 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \u0000 EI Q';

  it('are named with their reason while the others are read', async () => {
    const page = (contents: number) =>
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 6 0 R >> >> /Contents ${contents} 0 R >>`;
    const file = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R 4 0 R 5 0 R] /Count 3 >>',
      page(7),
      page(8),
      page(9),
      HELVETICA,
      streamOf('BT /F1 11 Tf 60 700 Td (The pool is open from nine to six.) Tj ET'),
      streamOf(SCAN),
      streamOf(''),
    ]);

    expect((await read(file)).unread).toEqual([
      { reason: { key: 'ingestion.scanned' }, pages: ['2'], count: 1, total: 3 },
    ]);
  });

  it.each([
    ['a scan', onePage(SCAN, [HELVETICA]), 'ingestion.scanned'],
    ['an empty page', onePage('', [HELVETICA]), 'ingestion.empty'],
    [
      'letters without a meaning',
      onePage('BT /F1 11 Tf 60 700 Td <4142434445464748494a4b4c> Tj ET', [
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 6 0 R >>',
        streamOf(
          'begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <41> <4c> <e001> endbfrange endcmap',
        ),
      ]),
      'ingestion.undecodable',
    ],
  ])('fail with their own reason: %s', async (_name, objects, reason) => {
    expect(await reasonOf(rawPdf(objects))).toBe(reason);
  });

  it('do not include one that has few letters and no picture', async () => {
    expect(await textsOf(rawPdf(onePage('BT /F1 11 Tf 60 700 Td (24h) Tj ET', [HELVETICA])))).toEqual([
      '24h',
    ]);
  });
});
