import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow } from 'docx';
import { PDFDocument, StandardFonts } from 'pdf-lib';

/** A part of a document: a heading with paragraphs under it. */
export interface Section {
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

const PAGE = { width: 595, height: 842, margin: 60 } as const;
const LINE_LENGTH = 80;

/** A real PDF, one page a section. */
export async function makePdf(sections: readonly Section[], title = ''): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  pdf.setTitle(title);
  for (const { heading, paragraphs } of sections) {
    const page = pdf.addPage([PAGE.width, PAGE.height]);
    let y = PAGE.height - PAGE.margin;
    page.drawText(heading, { x: PAGE.margin, y, size: 20, font });
    y -= 40;
    for (const paragraph of paragraphs) {
      for (const line of wrap(paragraph)) {
        page.drawText(line, { x: PAGE.margin, y, size: 11, font });
        y -= 14;
      }
      y -= 14;
    }
  }
  return Buffer.from(await pdf.save());
}

/** A PDF whose pages hold a drawing and no text, as a scanner makes it. */
export async function makeScannedPdf(): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  pdf.addPage().drawRectangle({ x: 50, y: 50, width: 200, height: 300 });
  return Buffer.from(await pdf.save());
}

/** A real Word document with headings, paragraphs and, where given, a table at the end. */
export async function makeDocx(
  sections: readonly Section[],
  rows: readonly (readonly string[])[] = [],
): Promise<Buffer> {
  const table = new Table({
    rows: rows.map(
      (cells) =>
        new TableRow({ children: cells.map((cell) => new TableCell({ children: [new Paragraph(cell)] })) }),
    ),
  });
  const children = sections.flatMap(({ heading, paragraphs }) => [
    new Paragraph({ text: heading, heading: HeadingLevel.HEADING_1 }),
    ...paragraphs.map((text) => new Paragraph(text)),
  ]);
  const document = new Document({
    sections: [{ children: rows.length > 0 ? [...children, table] : children }],
  });
  return Packer.toBuffer(document);
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= LINE_LENGTH) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
