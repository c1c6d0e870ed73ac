import { readFile } from 'node:fs/promises';
import mammoth from 'mammoth';
import { failure, UnreadableError } from '../../failure.js';
import type { ReadDocument } from '../block.js';
import { sniff } from '../file-content.js';
import { blocksOfHtml } from './html-blocks.js';
import { checkZip } from './zip-check.js';

const MAIN_PART = 'word/document.xml';
/** Name of the stream that holds an encrypted Office file, as the container writes names. */
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le');

/** A Word document (Office Open XML): its headings, paragraphs, lists and tables. */
export async function readDocx(path: string): Promise<ReadDocument> {
  const bytes = await readFile(path);
  const content = sniff(bytes);
  if (content === 'compound' && bytes.includes(ENCRYPTED_PACKAGE)) {
    throw new UnreadableError(failure('ingestion.encrypted'));
  }
  if (content !== 'zip') throw new UnreadableError(failure('ingestion.wrong_type'));
  const { names } = await checkZip(path);
  if (!names.has(MAIN_PART)) throw new UnreadableError(failure('ingestion.wrong_type'));
  const { value: html } = await mammoth.convertToHtml(
    { buffer: bytes },
    { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })), idPrefix: '' },
  );
  return { title: '', blocks: blocksOfHtml(html) };
}
