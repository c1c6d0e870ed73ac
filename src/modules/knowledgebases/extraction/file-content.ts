import { open } from 'node:fs/promises';
import { wideCharset } from '../../../common/text/decode-text.js';

/** Types of documents that are uploaded. */
export type FileType = 'pdf' | 'txt' | 'docx';

/** What the first bytes tell. `compound` is the container of old and of encrypted Office files. */
export type FileContent = 'pdf' | 'zip' | 'compound' | 'text' | 'binary';

export const CONTENT_TYPES: Readonly<Record<FileType, string>> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

const HEAD_BYTES = 8_192;
/** Readers accept a PDF whose header comes a little late. */
const PDF_HEADER_WITHIN = 1_024;

const ZIP = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
const COMPOUND = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/** Looks at the beginning of a file; its name and what its sender says of it count for nothing. */
export async function sniffFile(path: string): Promise<FileContent> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return sniff(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

export function sniff(head: Buffer): FileContent {
  if (head.subarray(0, PDF_HEADER_WITHIN).includes('%PDF-')) return 'pdf';
  if (head.subarray(0, ZIP.length).equals(ZIP)) return 'zip';
  if (head.subarray(0, COMPOUND.length).equals(COMPOUND)) return 'compound';
  return isUtf16(head) || !head.subarray(0, HEAD_BYTES).includes(0) ? 'text' : 'binary';
}

/** Whether content may be a document of the type; the reader has the last word. */
export function fitsType(content: FileContent, type: FileType): boolean {
  if (type === 'docx') return content === 'zip' || content === 'compound';
  return content === (type === 'txt' ? 'text' : type);
}

function isUtf16(head: Buffer): boolean {
  const mark = head.subarray(0, 2).toString('hex');
  return mark === 'fffe' || mark === 'feff' || wideCharset(head) !== undefined;
}
