import { readFile } from 'node:fs/promises';
import { failure, UnreadableError } from '../../failure.js';
import { type Block, cleanText, type ReadDocument } from '../block.js';
import { sniff } from '../file-content.js';

const MARKDOWN_HEADING = /^(#{1,6})\s+(\S.*)$/;

/** Plain text; headings in the manner of Markdown are taken as such. */
export async function readText(path: string): Promise<ReadDocument> {
  const bytes = await readFile(path);
  if (sniff(bytes) !== 'text') throw new UnreadableError(failure('ingestion.wrong_type'));
  return { title: '', blocks: blocksOf(decodeText(bytes)) };
}

/** UTF-8 or UTF-16 when it is valid, else the charset of old Windows programs, in which every byte is a character. */
export function decodeText(bytes: Uint8Array, charset?: string): string {
  for (const label of [charset, markedCharset(bytes), 'utf-8']) {
    if (label === undefined) continue;
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes);
    } catch {
      // An unknown charset, or not that one: the next is tried.
    }
  }
  return new TextDecoder('windows-1252').decode(bytes);
}

function markedCharset(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** Paragraphs are parted by empty lines. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    const joined = cleanText(paragraph.join(' '));
    if (joined !== '') blocks.push({ kind: 'text', text: joined });
    paragraph = [];
  };
  for (const line of text.split(/\r\n|[\n\r\f\u2028\u2029]/)) {
    const heading = MARKDOWN_HEADING.exec(line);
    if (heading || line.trim() === '' || isListItem(line)) endParagraph();
    if (heading)
      blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, text: cleanText(heading[2] ?? '') });
    else paragraph.push(line);
  }
  endParagraph();
  return blocks;
}

function isListItem(line: string): boolean {
  return /^\s*([-*•–]|\d{1,3}[.)])\s/.test(line);
}
