import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import { type TestAccount, TestApp } from '../support/app.js';
import { makeDocx, makePdf, makeScannedPdf } from '../support/documents.js';
import { LocalServer } from '../support/http-server.js';
import { isFullLength } from '../support/length.js';
import { docxOf, zipOf } from '../support/zip.js';

const URL = '/api/user/knowledgebases';
const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const MAX_CHILD_MIB = 600;
const HTML = { 'content-type': 'text/html' };

type Outcome = 'failed' | 'active' | 'any' | 'refused';
type FileInput = readonly [name: string, type: string, make: () => Buffer | Promise<Buffer>, Outcome];
type PageInput = readonly [name: string, answer: (response: ServerResponse) => void, Outcome];

const document = (body: string) => `<w:document ${WORD}><w:body>${body}</w:body></w:document>`;
const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const doctype = (declarations: string, text: string) =>
  docxOf(`<!DOCTYPE x [${declarations}]>${document(paragraph(text))}`);
const part = (name: string, text: string) => ({ name, content: Buffer.from(text) });

/** A PDF written by hand, of objects that need not be sound. */
const rawPdf = (...objects: string[]) =>
  Buffer.from(
    `%PDF-1.4\n${objects.map((object, index) => `${index + 1} 0 obj${object}endobj\n`).join('')}trailer<</Root 1 0 R>>\n%%EOF`,
    'latin1',
  );

async function pdfOfPages(pages: number): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  for (let page = 0; page < pages; page++) pdf.addPage([100, 100]);
  return Buffer.from(await pdf.save());
}

/** A page whose content unpacks to a thousand times its size. */
function pdfBomb(): Buffer {
  const packed = deflateSync(Buffer.alloc(60_000_000, '0 0 m '));
  return rawPdf(
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>',
    `<</Length ${packed.length}/Filter/FlateDecode>>stream\n${packed.toString('latin1')}\nendstream `,
  );
}

const files: FileInput[] = [
  ['an empty file', 'txt', () => Buffer.alloc(0), 'refused'],
  ['blanks', 'txt', () => Buffer.from(' \n\t\n '), 'failed'],
  ['a program as text', 'txt', () => Buffer.from('7f454c4602010100', 'hex'), 'refused'],
  ['a picture as text', 'txt', () => Buffer.from('89504e470d0a1a0a00', 'hex'), 'refused'],
  ['a text as PDF', 'pdf', () => Buffer.from('just words'), 'refused'],
  ['a PDF as Word document', 'docx', () => makePdf([]), 'refused'],
  ['a Word document as text', 'txt', () => makeDocx([]), 'refused'],
  ['a text of one endless word', 'txt', () => Buffer.from('a'.repeat(2_000_000)), 'active'],
  ['a text of one endless line', 'txt', () => Buffer.from('palavra '.repeat(150_000)), 'active'],
  ['a text of combining marks', 'txt', () => Buffer.from(`Z${'\u0301'.repeat(200_000)} fim`), 'any'],
  ['a text with bytes of NUL late', 'txt', () => Buffer.from(`${'a '.repeat(9_000)}\0\0fim`), 'any'],
  ['a broken UTF-16', 'txt', () => Buffer.from('fffe00d800d84100', 'hex'), 'any'],
  ['too much text', 'txt', () => Buffer.alloc(13_000_000, 'muitas palavras em linhas\n'), 'failed'],
  ['a scanned PDF', 'pdf', makeScannedPdf, 'failed'],
  ['a PDF cut in half', 'pdf', async () => (await makePdf([])).subarray(0, 200), 'failed'],
  ['only the head of a PDF', 'pdf', () => Buffer.from('%PDF-1.7\n'), 'failed'],
  ['a PDF of 10,000 pages', 'pdf', () => pdfOfPages(10_000), 'failed'],
  [
    'an encrypted PDF',
    'pdf',
    () =>
      Buffer.from(
        rawPdf(
          '<</Type/Catalog/Pages 2 0 R>>',
          '<</Type/Pages/Kids[3 0 R]/Count 1>>',
          '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
          `<</Filter/Standard/V 1/R 2/O<${'41'.repeat(32)}>/U<${'42'.repeat(32)}>/P -4>>`,
        )
          .toString('latin1')
          .replace('/Root 1 0 R', '/Root 1 0 R/Encrypt 4 0 R/ID[<00><00>]'),
      ),
    'failed',
  ],
  [
    'a PDF whose pages are their own parents',
    'pdf',
    () => rawPdf('<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2000000000>>'),
    'failed',
  ],
  ['a PDF without a catalogue', 'pdf', () => rawPdf('<</Type/Nothing>>'), 'failed'],
  ['a PDF bomb', 'pdf', pdfBomb, 'failed'],
  ['a PDF nested deeply', 'pdf', () => rawPdf(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 'failed'],
  [
    'a PDF with a script',
    'pdf',
    () => rawPdf('<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>'),
    'failed',
  ],
  [
    'a polyglot of PDF and HTML',
    'pdf',
    () => Buffer.from('<html><script>alert(1)</script>%PDF-1.4 </html>'),
    'failed',
  ],
  [
    'a zip bomb',
    'docx',
    () => docxOf('<a/>', { name: 'word/x', content: Buffer.alloc(30_000_000) }),
    'failed',
  ],
  [
    'a zip that lies about its size',
    'docx',
    () => docxOf('<a/>', { name: 'word/x', content: Buffer.alloc(30_000_000), claimedSize: 9 }),
    'failed',
  ],
  [
    'a zip of 5,000 entries',
    'docx',
    () => zipOf(Array.from({ length: 5_000 }, (_, n) => part(`${n}`, 'x'))),
    'failed',
  ],
  ['a zip in a zip', 'docx', () => zipOf([{ name: 'a.zip', content: zipOf([part('b', 'x')]) }]), 'failed'],
  ['a zip with a path out of it', 'docx', () => docxOf('<a/>', part('../../etc/passwd', 'x')), 'failed'],
  ['a zip cut in half', 'docx', async () => (await makeDocx([])).subarray(0, 300), 'failed'],
  [
    'a billion laughs',
    'docx',
    () => doctype('<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">', '&c;'),
    'failed',
  ],
  ['an entity of a file', 'docx', () => doctype('<!ENTITY a SYSTEM "file:///etc/passwd">', '&a;'), 'failed'],
  [
    'an entity of an address',
    'docx',
    () => doctype('<!ENTITY a SYSTEM "http://127.0.0.1/">', '&a;'),
    'failed',
  ],
  ['XML that breaks off', 'docx', () => docxOf(`<w:document ${WORD}><w:body>`), 'failed'],
  ['a document without text', 'docx', () => docxOf(document('')), 'failed'],
  [
    'a Word document with a template from elsewhere',
    'docx',
    () =>
      docxOf(
        document(paragraph('O texto do documento.')),
        part(
          'word/_rels/document.xml.rels',
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" Target="http://169.254.169.254/x" TargetMode="External"/></Relationships>',
        ),
      ),
    'any',
  ],
  ['XML nested deeply', 'docx', () => docxOf(document('<w:sdt><w:sdtContent>'.repeat(5_000))), 'failed'],
  [
    'an encrypted Word document',
    'docx',
    () =>
      Buffer.concat([
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        Buffer.alloc(600),
        Buffer.from('EncryptedPackage', 'utf16le'),
      ]),
    'failed',
  ],
];

let base: string;
const html = (body: string) => (response: ServerResponse) => void response.writeHead(200, HTML).end(body);
const redirect = (to: () => string) => (response: ServerResponse) =>
  void response.writeHead(302, { location: to() }).end();
const drip = (response: ServerResponse) => {
  response.writeHead(200, HTML);
  const timer = setInterval(() => response.write(' '), 200);
  response.on('close', () => clearInterval(timer));
};

const pages: PageInput[] = [
  ['a redirect without end', redirect(() => `${base}/0`), 'failed'],
  ['a redirect to a private address', redirect(() => 'http://10.0.0.1/'), 'failed'],
  ['a redirect to the metadata of a cloud', redirect(() => 'http://169.254.169.254/latest/'), 'failed'],
  ['a redirect to a file', redirect(() => 'file:///etc/passwd'), 'failed'],
  ['a page of 60,000 links', html('<a href="x">y</a> '.repeat(60_000)), 'any'],
  ['a page without text', html('<script>1</script>'), 'failed'],
  ['a page of 8 MB', html('a '.repeat(4_000_000)), 'failed'],
  [
    'a gzip bomb',
    (response) =>
      void response
        .writeHead(200, { ...HTML, 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(50_000_000))),
    'failed',
  ],
  [
    'a gzip that is none',
    (response) => void response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end('no'),
    'failed',
  ],
  [
    'headers of 100 KB',
    (response) => void response.writeHead(200, { ...HTML, 'x-large': 'a'.repeat(100_000) }).end('<p>x</p>'),
    'failed',
  ],
  ['a picture', (response) => void response.writeHead(200, HTML).end(Buffer.alloc(900)), 'failed'],
];
/** These take as long as the patience of the reader. */
const slowPages: PageInput[] = [
  ['a page of one byte at a time', drip, 'failed'],
  ['a page of 100,000 nested elements', html(`${'<div>'.repeat(100_000)}fundo`), 'any'],
  ['an error', (response) => void response.writeHead(500).end(), 'failed'],
  ['a connection that is cut', (response) => void response.destroy(), 'failed'],
];

/** All of them at full length, else some: each costs the start of a process. */
function some<T>(inputs: readonly T[]): readonly T[] {
  return isFullLength ? inputs : inputs.filter((_, index) => index % 5 === 1);
}

describe('fifty hostile documents', () => {
  let app: TestApp;
  let site: LocalServer;
  let dataDir: string;
  let ana: TestAccount;
  const all = [...(isFullLength ? slowPages : []), ...some(pages)];

  beforeAll(async () => {
    site = await LocalServer.start(({ path }, response) => {
      const answer = all[Number(path.slice(1))]?.[1];
      if (path === '/robots.txt' || !answer) response.writeHead(404).end();
      else answer(response);
    });
    base = site.url;
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-hostile-test-'));
    app = await TestApp.start({
      DATA_DIR: dataDir,
      PROSA_ROLES: 'api,worker',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    });
    ana = await app.account();
  });

  afterAll(async () => {
    await app.stop();
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('end with a reason or harmlessly, in bounded time and memory, while the API answers', async () => {
    const created = await app.as(ana).post(URL).send({ name: 'Hostil' }).expect(201);
    const documents = `${URL}/${created.body.data.id}/documents`;
    const expected = new Map<number, readonly [name: string, outcome: Outcome]>();
    for (const [name, type, make, outcome] of some(files)) {
      const { status, body } = await app
        .as(ana)
        .post(documents)
        .field({ name, type })
        .attach('file', await make(), 'file');
      expect([name, status]).toEqual([name, outcome === 'refused' ? 422 : 201]);
      if (outcome === 'refused') expect(Object.keys(body.errors)).toEqual(['file']);
      else expected.set(body.data.id, [name, outcome]);
    }
    for (const [index, [name, , outcome]] of all.entries()) {
      const { body } = await app
        .as(ana)
        .post(documents)
        .send({ name, type: 'website', url: `${base}/${index}` })
        .expect(201);
      expected.set(body.data.id, [name, outcome]);
    }

    const list = async () => {
      const startedAt = performance.now();
      const { body } = await app.as(ana).get(documents).expect(200);
      return { data: body.data, ms: performance.now() - startedAt };
    };
    const answersMs: number[] = [];
    let peakMib = 0;
    const deadline = Date.now() + 150_000;
    for (;;) {
      const { data, ms } = await list();
      answersMs.push(ms);
      peakMib = Math.max(peakMib, await childMib());
      const unfinished = data.filter(({ status }: { status: string }) => status === 'processing');
      if (unfinished.length === 0) {
        for (const { id, status, status_reason: reason } of data) {
          const [name, outcome] = expected.get(id) ?? ['', 'any'];
          if (outcome !== 'any') expect([name, status]).toEqual([name, outcome]);
          if (status === 'failed') expect(reason.length).toBeGreaterThan(10);
        }
        break;
      }
      if (Date.now() > deadline) {
        throw new Error(`not finished: ${unfinished.map(({ name }: { name: string }) => name).join(', ')}`);
      }
      await sleep(50);
    }

    const p99Ms = p99Of(answersMs);
    if (isFullLength) {
      const aloneMs: number[] = [];
      for (let request = 0; request < 1_000; request++) aloneMs.push((await list()).ms);
      process.stdout.write(
        `API p99 ${p99Ms.toFixed(1)} ms of ${answersMs.length} at the same time, ${p99Of(aloneMs).toFixed(1)} ms alone; ` +
          `readers at most ${peakMib.toFixed(0)} MiB\n`,
      );
    }
    expect(files.length + pages.length + slowPages.length).toBeGreaterThanOrEqual(50);
    expect(p99Ms).toBeLessThan(1_000);
    expect(peakMib).toBeLessThan(MAX_CHILD_MIB);
  }, 180_000);
});

function p99Of(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;
}

/** The largest reading process, of its peaks (Linux). */
async function childMib(): Promise<number> {
  const list = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').catch(() => '');
  const peaks = list
    .split(' ')
    .filter(Boolean)
    .map(async (pid) => {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (!command.includes('extraction-child')) return 0;
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
    });
  return Math.max(0, ...(await Promise.all(peaks)));
}
