import { readFile } from 'node:fs/promises';
import { decodeText } from '#src/common/text/decode-text.js';
import { failure, UnreadableError } from '../../failure.js';
import { type Block, cleanText, type ReadDocument, unreadCharacters } from '../block.js';
import { sniff } from '../file-content.js';

const MARKDOWN_HEADING = /^(#{1,6})\s+(\S.*)$/;

/** Plain text; headings in the manner of Markdown are taken as such. */
export async function readText(path: string): Promise<ReadDocument> {
  const bytes = await readFile(path);
  if (sniff(bytes) !== 'text') throw new UnreadableError(failure('ingestion.wrong_type'));
  const blocks = blocksOf(decodeText(bytes));
  return { title: '', blocks, unread: unreadCharacters(blocks) };
}

/** Paragraphs are parted by empty lines. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    const joined = cleanText(paragraph.join('\n'));
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
