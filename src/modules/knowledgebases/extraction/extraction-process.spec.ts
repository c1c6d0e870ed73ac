import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import { makeDocx, makePdf, makeScannedPdf } from '#test/support/documents.js';
import { docxOf, zipOf } from '#test/support/zip.js';
import { UnreadableError } from '../failure.js';
import type { ExtractionRequest } from './extraction.js';
import { EXTRACTION_LIMITS, ExtractionProcess } from './extraction-process.js';

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

let folder: string;
let reader: ExtractionProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prosa-extraction-'));
  reader = new ExtractionProcess();
});

afterAll(async () => {
  reader.close();
  await rm(folder, { recursive: true, force: true });
});

async function extract(kind: ExtractionRequest['kind'], content: Buffer | string, process = reader) {
  const path = join(folder, `file.${kind}`);
  await writeFile(path, content);
  return process.extract({ path, kind, url: 'https://example.com/pages/one', charset: undefined });
}

/** The key of the reason it fails with. */
async function reasonOf(kind: ExtractionRequest['kind'], content: Buffer | string, process = reader) {
  const outcome: unknown = await extract(kind, content, process).catch((error: unknown) => error);
  if (outcome instanceof UnreadableError) return outcome.failure.key;
  throw new Error('it was read', { cause: outcome });
}

describe('reading', () => {
  it('takes headings, paragraphs and tables of a Word document', async () => {
    const { passages } = await extract(
      'docx',
      await makeDocx([{ heading: 'Preços', paragraphs: ['Valores de 2026.'] }], [['Corte', 'R$ 40']]),
    );

    expect(passages).toEqual([
      {
        headings: ['Preços'],
        content: 'Valores de 2026.\nCorte | R$ 40',
        page: null,
        tokens: expect.any(Number),
        language: expect.any(String),
      },
    ]);
  });

  it('joins the lines of a PDF into paragraphs, tells headings by their size, and drops running heads', async () => {
    const long =
      'O serviço de reparo atende a cidade inteira em dias úteis e também aos sábados, das oito às dezoito horas. '.repeat(
        6,
      );
    const sections = Array.from({ length: 6 }, (_, page) => ({
      heading: `Tema ${'ABCDEF'[page]}`,
      paragraphs: [`Rodapé fixo da empresa ${page}`, `${long}Fim ${page}.`],
    }));

    const { title, passages } = await extract('pdf', await makePdf(sections, 'Guia'));

    expect(title).toBe('Guia');
    expect(passages.map(({ page }) => page)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(passages[2]).toMatchObject({ headings: ['Guia', 'Tema C'], language: 'portuguese' });
    expect(passages[2]?.content).toContain('cidade inteira em dias úteis e também aos sábados, das oito');
    expect(passages.map(({ content }) => content).join()).not.toContain('Rodapé fixo');
  });

  it('takes the article of a page with its links and its own address, and no menus or scripts', async () => {
    const { title, passages, links, canonicalUrl } = await extract(
      'html',
      `<!doctype html><html lang="en"><head><title>Prices &amp; plans</title><link rel="canonical" href="/prices">
       <script>var secret = 1</script></head><body><nav><a href="/home">Home</a></nav><main><h1>Prices</h1>
       <p>The small plan costs ten euros.</p><ul><li>No setup fee</li></ul><a href="two#x">next</a>
       <a href="javascript:alert(1)">bad</a></main></body></html>`,
    );

    expect(title).toBe('Prices & plans');
    expect(canonicalUrl).toBe('https://example.com/prices');
    expect(links).toEqual(
      expect.arrayContaining(['https://example.com/home', 'https://example.com/pages/two#x']),
    );
    expect(passages).toHaveLength(1);
    expect(passages[0]?.content).toContain('The small plan costs ten euros.\n- No setup fee');
    expect(passages[0]?.content).not.toMatch(/secret|Home/);
    expect(passages[0]?.language).toBe('english');
  });

  it('leaves out addresses that are too long, also those a page gives itself', async () => {
    const long = `/?${'utm_source=x&'.repeat(200)}`;
    const { links, canonicalUrl } = await extract(
      'html',
      `<link rel="canonical" href="${long}"><p>Prices</p><a href="${long}">one</a><a href="/two">two</a>`,
    );

    expect(links).toEqual(['https://example.com/two']);
    expect(canonicalUrl).toBeNull();
  });

  it.each([
    ['UTF-8', Buffer.from('Ação e reação', 'utf8')],
    [
      'UTF-16 with a mark',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Ação e reação', 'utf16le')]),
    ],
    ['an old Windows charset', Buffer.from('Ação e reação', 'latin1')],
  ])('reads a text in %s', async (_, content) => {
    const { passages } = await extract('txt', content);

    expect(passages[0]?.content).toBe('Ação e reação');
  });
});

describe('what cannot be read', () => {
  it.each([
    ['a PDF of images', 'pdf', makeScannedPdf, 'ingestion.scanned'],
    ['a PDF cut in half', 'pdf', async () => (await makePdf([])).subarray(0, 100), 'ingestion.unreadable'],
    ['a picture as PDF', 'pdf', async () => Buffer.from('89504e470d0a1a0a', 'hex'), 'ingestion.wrong_type'],
    ['a program as text', 'txt', async () => Buffer.from('7f454c46020100', 'hex'), 'ingestion.wrong_type'],
    ['a page of bytes', 'html', async () => Buffer.from('89504e470d0a1a0a00', 'hex'), 'ingestion.not_a_page'],
    [
      'a zip that is no document',
      'docx',
      async () => zipOf([{ name: 'a', content: Buffer.from('x') }]),
      'ingestion.wrong_type',
    ],
    [
      'a zip that breaks off',
      'docx',
      async () => (await makeDocx([])).subarray(0, 300),
      'ingestion.unreadable',
    ],
    [
      'XML that breaks off',
      'docx',
      async () => docxOf(`<w:document ${WORD}><w:body>`),
      'ingestion.unreadable',
    ],
    [
      'an encrypted Word document',
      'docx',
      async () =>
        Buffer.concat([
          Buffer.from('d0cf11e0a1b11ae1', 'hex'),
          Buffer.alloc(600),
          Buffer.from('EncryptedPackage', 'utf16le'),
        ]),
      'ingestion.encrypted',
    ],
    [
      'an old Word document',
      'docx',
      async () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
      'ingestion.wrong_type',
    ],
    ['an encrypted PDF', 'pdf', async () => ENCRYPTED_PDF, 'ingestion.encrypted'],
  ] as const)('is named: %s', async (_, kind, make, reason) => {
    expect(await reasonOf(kind, await make())).toBe(reason);
  });
});

describe('hostile files', () => {
  it.each([
    [
      'a zip that unpacks to a hundred times its size',
      () => docxOf('<a/>', { name: 'word/x.bin', content: Buffer.alloc(20_000_000) }),
    ],
    [
      'a zip of thousands of entries',
      () => zipOf(Array.from({ length: 2_100 }, (_, n) => ({ name: `${n}`, content: Buffer.from('x') }))),
    ],
    [
      'a billion laughs',
      () =>
        docxOf(
          `<!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><w:document ${WORD}><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>`,
        ),
    ],
  ])('are refused for safety: %s', async (_, make) => {
    expect(await reasonOf('docx', make())).toBe('ingestion.hostile');
  });

  it('are refused when a zip lies about its size', async () => {
    const lie = docxOf('<a/>', { name: 'word/x.bin', content: Buffer.alloc(50_000_000), claimedSize: 10 });

    expect(await reasonOf('docx', lie)).toBe('ingestion.unreadable');
  });

  it('are refused when a PDF has more pages than anyone reads', async () => {
    const pdf = await PDFDocument.create();
    for (let page = 0; page < 2_001; page++) pdf.addPage([100, 100]);

    expect(await reasonOf('pdf', Buffer.from(await pdf.save()))).toBe('ingestion.too_many_pages');
  }, 60_000);

  it.each([
    ['boxes', '<div>'.repeat(200_000)],
    ['bold words', '<b>'.repeat(200_000)],
    ['tables', '<table><tr><td>'.repeat(60_000)],
    ['lists in links', '<ul><li><a href=x>'.repeat(60_000)],
  ])(
    'are read in no time when %s are nested without end',
    async (_, html) => {
      const impatient = new ExtractionProcess({ ...EXTRACTION_LIMITS, timeoutMs: 20_000 });

      const { passages } = await extract('html', `${html}deep`, impatient);

      expect(passages.at(-1)?.content).toContain('deep');
      impatient.close();
    },
    60_000,
  );

  it.each([
    ['formulas', `${'<math>'.repeat(400_000)}${'</x>'.repeat(400_000)}`],
    ['drawings', `${'<svg>'.repeat(400_000)}${'</x>'.repeat(400_000)}`],
    ['styles in a drawing', `<svg>${'<style>'.repeat(300_000)}${'</x>'.repeat(400_000)}</svg>`],
    ['templates', `${'<template>'.repeat(250_000)}${'</x>'.repeat(400_000)}`],
  ])(
    'are no reason to give up when %s are nested without end',
    async (_, html) => {
      const impatient = new ExtractionProcess({ ...EXTRACTION_LIMITS, timeoutMs: 30_000 });

      expect((await extract('html', html, impatient)).links).toEqual([]);
      impatient.close();
    },
    60_000,
  );

  it('do no harm when a document is nested without end', async () => {
    const xml = `<w:document ${WORD}><w:body>${'<w:sdt><w:sdtContent>'.repeat(30_000)}</w:body></w:document>`;

    const impatient = new ExtractionProcess({ ...EXTRACTION_LIMITS, timeoutMs: 8_000 });

    expect(await reasonOf('docx', docxOf(xml), impatient)).toMatch(/^ingestion\./);
    expect((await extract('txt', 'still alive', impatient)).passages).toHaveLength(1);
    impatient.close();
  }, 60_000);

  it('do not stop the tokenizer with a word without end', async () => {
    const startedAt = performance.now();

    const { passages } = await extract('txt', 'a'.repeat(3_000_000));

    expect(passages.length).toBeGreaterThan(100);
    expect(passages.every(({ tokens }) => tokens <= 400)).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  }, 60_000);

  it('end with the process when they take too long, and the next file gets a new one', async () => {
    const impatient = new ExtractionProcess({ ...EXTRACTION_LIMITS, timeoutMs: 5 });

    expect(await reasonOf('txt', 'never read', impatient)).toBe('ingestion.too_slow');
    expect(await reasonOf('txt', 'never read', impatient)).toBe('ingestion.too_slow');
    impatient.close();
  });

  it('is read after the process of the file before it was killed', async () => {
    const mortal = new ExtractionProcess();
    await extract('txt', 'first', mortal);
    const { child } = mortal as unknown as { child: ChildProcess };
    child.kill('SIGKILL');
    await once(child, 'exit');

    expect((await extract('txt', 'second', mortal)).passages[0]?.content).toBe('second');
    mortal.close();
  });

  it.each([
    ['memory of the process', { maxRssBytes: 60 * 1024 * 1024 }],
    ['the heap', { maxHeapMegabytes: 24 }],
  ])(
    'end with the process when they take too much of %s',
    async (_, limits) => {
      const small = new ExtractionProcess({ ...EXTRACTION_LIMITS, ...limits });
      const large = Array.from(
        { length: 60_000 },
        (_item, n) => `<p>Parágrafo ${n} de um texto longo, longo.</p>`,
      ).join('');

      expect(await reasonOf('html', large, small)).toBe('ingestion.too_much_memory');
      small.close();
    },
    60_000,
  );
});

/** One page, password `prosa`, encrypted with the standard handler (RC4, 40 bits): only its trailer matters here. */
const ENCRYPTED_PDF = Buffer.from(
  `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj
4 0 obj<</Filter/Standard/V 1/R 2/O<${'41'.repeat(32)}>/U<${'42'.repeat(32)}>/P -4>>endobj
trailer<</Root 1 0 R/Encrypt 4 0 R/ID[<00><00>]>>
%%EOF`,
);
