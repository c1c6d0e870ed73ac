import { PDFDocument, StandardFonts } from 'pdf-lib';

/** A run of text with its place on a page of A4; the origin is at the bottom left. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size?: number;
}

/** A PDF that prints runs in the given order, in Helvetica. */
export async function placedPdf(pages: readonly (readonly PlacedText[])[]): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const runs of pages) {
    const page = pdf.addPage([595, 842]);
    for (const { text, x, y, size = 11 } of runs) page.drawText(text, { x, y, size, font });
  }
  return Buffer.from(await pdf.save());
}

/** Lines one below the other, as a text processor prints them. */
export function lines(
  texts: readonly string[],
  { x = 60, y = 760, leading = 14, size = 11 } = {},
): PlacedText[] {
  return texts.map((text, index) => ({ text, x, y: y - index * leading, size }));
}

/** A PDF of its objects 1, 2, …; object 1 is the catalogue. */
export function rawPdf(objects: readonly string[]): Buffer {
  const parts = ['%PDF-1.7\n'];
  const offsets: number[] = [];
  let offset = parts[0]?.length ?? 0;
  objects.forEach((body, index) => {
    const part = `${index + 1} 0 obj\n${body}\nendobj\n`;
    offsets.push(offset);
    offset += part.length;
    parts.push(part);
  });
  const entries = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(`xref\n0 ${size}\n0000000000 65535 f \n${entries}`);
  parts.push(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${offset}\n%%EOF\n`);
  return Buffer.from(parts.join(''), 'latin1');
}

export function streamOf(content: string, dictionary = ''): string {
  return `<< /Length ${content.length} ${dictionary} >>\nstream\n${content}\nendstream`;
}

/** The objects of a PDF with one page: its content, fonts by name, and what else the page and the catalogue have. */
export function onePage(
  content: string,
  fonts: readonly string[],
  { page = '', catalogue = '', more = [] as readonly string[] } = {},
): string[] {
  const first = 5;
  const names = fonts.map((_font, index) => `/F${index + 1} ${first + index} 0 R`).join(' ');
  return [
    `<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << ${names} >> >> /Contents 4 0 R ${page} >>`,
    streamOf(content),
    ...fonts,
    ...more,
  ];
}

export const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';
