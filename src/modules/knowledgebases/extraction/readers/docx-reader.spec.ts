import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import mammoth from 'mammoth';
import { makeDocx } from '#test/support/documents.js';
import { docxOf, zipOf } from '#test/support/zip.js';
import type { ReadDocument } from '../block.js';
import { readDocx } from './docx-reader.js';

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const MAIN_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prosa-docx-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (content: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`;
const plain = (text: string) => paragraph(run(text));
const numbered = (text: string, level: number, list: number) =>
  paragraph(run(text), `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`);
const cell = (text: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${plain(text)}</w:tc>`;

interface Parts {
  /** Type and target of relationships of the main part, and the XML of those that are parts. */
  readonly parts?: readonly (readonly [type: string, target: string, xml?: string])[];
}

async function readBytes(bytes: Buffer): Promise<ReadDocument> {
  const path = join(folder, 'file.docx');
  await writeFile(path, bytes);
  return readDocx(path);
}

function read(body: string, { parts = [] }: Parts = {}): Promise<ReadDocument> {
  const relationships = parts.map(
    ([type, target, xml], index) =>
      `<Relationship Id="rId${index}" Type="${TYPES}/${type}" Target="${target}" ${xml === undefined ? 'TargetMode="External"' : ''}/>`,
  );
  const entries = parts.flatMap(([, target, xml]) =>
    xml === undefined ? [] : [{ name: `word/${target}`, content: Buffer.from(xml) }],
  );
  const rels = `<Relationships xmlns="${PACKAGE}/relationships">${relationships.join('')}</Relationships>`;
  return readBytes(
    docxOf(
      `<w:document ${WORD} xmlns:r="r"><w:body>${body}</w:body></w:document>`,
      { name: 'word/_rels/document.xml.rels', content: Buffer.from(rels) },
      ...entries,
    ),
  );
}

async function lines(body: string, more?: Parts): Promise<string[]> {
  return (await read(body, more)).blocks.map(({ text }) => text);
}

describe('a package', () => {
  const packageOf = (main: string, separator = '/') =>
    zipOf(
      Object.entries({
        '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Override PartName="/${main}" ContentType="${MAIN_TYPE}"/></Types>`,
        '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="a" Type="${TYPES}/officeDocument" Target="/${main}"/></Relationships>`,
        [main]: `<ns0:document xmlns:ns0="x"><ns0:body><ns0:p><ns0:r><ns0:t>Olá</ns0:t></ns0:r></ns0:p></ns0:body></ns0:document>`,
      }).map(([name, xml]) => ({ name: name.replaceAll('/', separator), content: Buffer.from(xml) })),
    );

  it.each([
    ['of another name', packageOf('word/document7.xml')],
    ['in another folder', packageOf('content/main.xml')],
    ['under a name with a backslash', packageOf('word/document.xml', '\\')],
    ['with prefixes of its own', packageOf('word/document.xml')],
  ])('has its text in a part %s', async (_, bytes) => {
    expect((await readBytes(bytes)).blocks).toEqual([{ kind: 'text', text: 'Olá' }]);
  });

  it('that is a spreadsheet is none of ours', async () => {
    const bytes = packageOf('xl/workbook.xml');

    await expect(readBytes(bytes)).rejects.toMatchObject({ failure: { key: 'ingestion.wrong_type' } });
  });
});

describe('text of a Word document', () => {
  it('is what holds: struck, deleted, moved and hidden text is left out, and hints of empty fields', async () => {
    expect(
      await lines(
        paragraph(
          run('Vaso ') +
            run('R$ 80 ', '<w:dstrike/>') +
            `<w:moveFrom>${run('velho ')}</w:moveFrom><w:ins>${run('R$ 60')}</w:ins>` +
            run(' segredo', '<w:vanish/>') +
            run(', à vista', '<w:strike w:val="false"/>'),
        ) +
          `<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>${plain('Escolha um item')}</w:sdtContent></w:sdt>
           <w:sdt><w:sdtContent><w:sdt><w:sdtContent>${plain('Prazo: 3 dias')}</w:sdtContent></w:sdt></w:sdtContent></w:sdt>`,
      ),
    ).toEqual(['Vaso R$ 60, à vista', 'Prazo: 3 dias']);
  });

  it('has styles: headings by level and name, struck letters, raised cents', async () => {
    const styles = `<w:styles ${WORD}><w:style w:styleId="T1"><w:name w:val="heading 2"/></w:style>
      <w:style w:styleId="Sub"><w:basedOn w:val="T1"/></w:style><w:style w:styleId="Velho"><w:rPr><w:strike/></w:rPr></w:style></w:styles>`;
    const { blocks } = await read(
      paragraph(run('Preços'), '<w:pStyle w:val="Sub"/>') +
        paragraph(run('Clara'), '<w:outlineLvl w:val="0"/>') +
        paragraph(
          run('R$ 99 ', '<w:rStyle w:val="Velho"/>') +
            run('R$ 49') +
            run('90', '<w:vertAlign w:val="superscript"/>'),
        ),
      { parts: [['styles', 'styles.xml', styles]] },
    );

    expect(blocks).toEqual([
      { kind: 'heading', level: 2, text: 'Preços' },
      { kind: 'heading', level: 1, text: 'Clara' },
      { kind: 'text', text: 'R$ 49,90' },
    ]);
  });

  it('has the addresses of its links, as elements and as fields', async () => {
    const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const instruction = '<w:r><w:instrText> HYPERLINK "tel:+5511999990000" \\h </w:instrText></w:r>';

    expect(
      await lines(
        paragraph(
          `${run('Preencha o ')}<w:hyperlink r:id="rId0">${run('formulário')}</w:hyperlink>${run(' ou ')}${field('begin')}${instruction}${field('separate')}${run('ligue')}${field('end')}${run('.')}`,
        ),
        { parts: [['hyperlink', 'https://loja.example/troca']] },
      ),
    ).toEqual(['Preencha o formulário (https://loja.example/troca) ou ligue (+5511999990000).']);
  });

  it('has text boxes after their paragraph, once', async () => {
    const box = (text: string) => `<w:txbxContent>${plain(text)}</w:txbxContent>`;

    expect(
      await lines(
        paragraph(
          `${run('Antes ')}<w:r><mc:AlternateContent><mc:Choice>${box('Promoção')}</mc:Choice><mc:Fallback>${box('Promoção')}</mc:Fallback></mc:AlternateContent></w:r>${run('depois')}`,
        ),
      ),
    ).toEqual(['Antes depois', 'Promoção']);
  });

  it('has tables with merged cells, and no rows where a table only frames a text', async () => {
    const merged = '<w:vMerge/>';

    expect(
      await lines(
        `<w:tbl><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid><w:tr>${cell('Corte', '<w:vMerge w:val="restart"/>')}${cell('R$ 40')}</w:tr>
         <w:tr>${cell('', merged)}${cell('R$ 60')}</w:tr><w:tr>${cell('Fechado aos domingos', '<w:gridSpan w:val="2"/>')}</w:tr></w:tbl>
         <w:tbl><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:tc>${plain('Um')}${plain('Dois')}</w:tc></w:tr></w:tbl>`,
      ),
    ).toEqual(['Corte | R$ 40', 'Corte | R$ 60', 'Fechado aos domingos', 'Um', 'Dois']);
  });

  it('has notes, and what headers and footers say apart and once', async () => {
    const footer = `<w:ftr ${WORD}>${plain('WhatsApp: 11 99999-0000')}${paragraph(`${run('Página ')}<w:fldSimple w:instr="PAGE">${run('3')}</w:fldSimple>`)}</w:ftr>`;
    const notes = `<w:footnotes ${WORD}><w:footnote w:id="0" w:type="separator">${plain('x')}</w:footnote><w:footnote w:id="5">${plain('Só em junho.')}</w:footnote></w:footnotes>`;
    const { blocks, siteBlocks } = await read(
      paragraph(`${run('Frete grátis')}<w:r><w:footnoteReference w:id="5"/></w:r>`),
      {
        parts: [
          ['footer', 'footer1.xml', footer],
          ['footer', 'footer2.xml', footer],
          ['footnotes', 'footnotes.xml', notes],
        ],
      },
    );

    expect(blocks.map(({ text }) => text)).toEqual(['Frete grátis[1]', '[1] Só em junho.']);
    expect(siteBlocks?.map(({ text }) => text)).toEqual(['WhatsApp: 11 99999-0000']);
  });

  it('says how many embedded objects are not read', async () => {
    const { unread } = await read(plain('Tabela:'), { parts: [['package', 'embeddings/a.xlsx', '']] });

    expect(unread).toMatchObject([{ reason: { key: 'ingestion.embedded', params: { count: 1 } } }]);
  });
});

describe('numbers of clauses', () => {
  const level = (index: number, format: string, text: string, more = '') =>
    `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
  const numbering = `<w:numbering ${WORD}><w:abstractNum w:abstractNumId="3">${level(0, 'decimal', 'Cláusula %1ª.', '<w:pStyle w:val="Clausula"/>')}${level(1, 'decimal', '%1.%2')}${level(2, 'lowerRoman', '(%3)')}</w:abstractNum>
    <w:abstractNum w:abstractNumId="4">${level(0, 'bullet', '•')}</w:abstractNum>
    <w:num w:numId="1"><w:abstractNumId w:val="3"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="4"/></w:num>
    <w:num w:numId="7"><w:abstractNumId w:val="3"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num></w:numbering>`;
  const styles = `<w:styles ${WORD}><w:style w:styleId="Clausula"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style></w:styles>`;
  const parts = [
    ['numbering', 'numbering.xml', numbering],
    ['styles', 'styles.xml', styles],
  ] as const;

  it('are those that Word shows, over paragraphs between them and at each level', async () => {
    const clause = paragraph(run('Do preço'), '<w:pStyle w:val="Clausula"/>');

    expect(
      await lines(
        [
          numbered('Do objeto', 0, 1),
          numbered('A loja vende.', 1, 1),
          plain('Um parágrafo.'),
          numbered('A loja entrega.', 1, 1),
          numbered('no prazo', 2, 1),
          clause,
          numbered('O preço é fixo.', 1, 1),
          numbered('à vista', 0, 2),
          numbered('Anexo', 0, 7),
          numbered('sem número', 0, 0),
        ].join(''),
        { parts },
      ),
    ).toEqual([
      'Cláusula 1ª. Do objeto',
      '1.1 A loja vende.',
      'Um parágrafo.',
      '1.2 A loja entrega.',
      '(i) no prazo',
      'Cláusula 2ª. Do preço',
      '2.1 O preço é fixo.',
      '- à vista',
      'Cláusula 1ª. Anexo',
      'sem número',
    ]);
  });
});

it('reads every word that another reader finds in a real document', async () => {
  const bytes = await makeDocx(
    [
      {
        heading: 'Garantia',
        paragraphs: ['Cinco anos para a estrutura.', 'Um ano para o tecido & o couro.'],
      },
      { heading: 'Entrega', paragraphs: ['Das 8h às 12h, por R$ 40,00.'] },
    ],
    [
      ['Vaso "Ipê"', 'R$ 60,00'],
      ['Mesa', 'R$ 349,50'],
    ],
  );
  const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const { value } = await mammoth.extractRawText({ buffer: bytes });
  const own = (await readBytes(bytes)).blocks.map(({ text }) => text).join('\n');

  expect(words(own)).toEqual(words(value));
});
