import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../test/support/chunk-seed.js';
import { makePdf } from '../../test/support/documents.js';

const PAGES = 1_000;

/** Reads a PDF of 1,000 pages in the built product's reading process and watches its memory (Linux). */
export async function measurePdf(): Promise<void> {
  const { ExtractionProcess } = (await import(
    new URL('../../dist/modules/knowledgebases/extraction/extraction-process.js', import.meta.url).href
  )) as typeof import('../../src/modules/knowledgebases/extraction/extraction-process.js');
  const path = join(tmpdir(), `prosa-bench-${process.pid}.pdf`);
  const random = seededRandom(3);
  const words =
    'regulamento contrato cliente prazo entrega valor garantia serviço conta pedido dia mês atraso multa direito dever parte aviso'.split(
      ' ',
    );
  const word = () => words[Math.floor(random() * words.length)] ?? '';
  const sentence = () => `O ${Array.from({ length: 11 }, word).join(' de ')}.`;
  const paragraph = (page: number, n: number) =>
    `Parágrafo ${n} da página ${page}. ${Array.from({ length: 4 }, sentence).join(' ')}`;
  const pdf = await makePdf(
    Array.from({ length: PAGES }, (_, page) => ({
      heading: `Capítulo ${page + 1}`,
      paragraphs: [1, 2, 3, 4, 5, 6].map((n) => paragraph(page + 1, n)),
    })),
    'Regulamento',
  );
  await writeFile(path, pdf);
  const reading = new ExtractionProcess();
  const startedAt = performance.now();
  let peakKb = 0;
  const watch = setInterval(() => void childPeakKb().then((kb) => (peakKb = Math.max(peakKb, kb))), 50);
  const { passages } = await reading.extract({ path, kind: 'pdf' });
  clearInterval(watch);
  reading.close();
  await rm(path);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const tokens = passages.reduce((sum, passage) => sum + passage.tokens, 0);
  console.log(`\nPDF of ${PAGES} pages, ${(pdf.length / 1e6).toFixed(1)} MB`);
  console.log(
    `  ${passages.length} passages of ${tokens} tokens in ${seconds} s; the reading process took at most ${(peakKb / 1_024).toFixed(0)} MiB`,
  );
}

async function childPeakKb(): Promise<number> {
  const children = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').catch(
    () => '',
  );
  const peaks = await Promise.all(
    children
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(async (pid) => {
        const [command, status] = await Promise.all(
          ['cmdline', 'status'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
        );
        return command?.includes('extraction-child')
          ? Number(/VmHWM:\s+(\d+)/.exec(status ?? '')?.[1] ?? 0)
          : 0;
      }),
  );
  return Math.max(0, ...peaks);
}
