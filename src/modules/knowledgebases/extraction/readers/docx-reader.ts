import { readFile } from 'node:fs/promises';
import { failure, UnreadableError } from '../../failure.js';
import { type UnreadPart, unreadPart } from '../../unread.js';
import { type Block, type ReadDocument, unreadCharacters } from '../block.js';
import { sniff } from '../file-content.js';
import { DocxNumbering } from './docx/docx-numbering.js';
import { DocxPackage, type Relationship, type Relationships } from './docx/docx-package.js';
import { DocxStyles } from './docx/docx-styles.js';
import { type PartContext, PartReader } from './docx/part-reader.js';
import { readXml } from './docx/xml-events.js';
import { withZip } from './zip-check.js';

/** Name of the stream that holds an encrypted Office file, as the container writes names. */
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le');
/** Parts whose text comes behind that of the document. */
const FURTHER_TEXT = ['footnotes', 'endnotes', 'diagramData'];
/** Text of these is in formats of other programs. */
const EMBEDDED = new Set(['aFChunk', 'oleObject', 'package', 'chart']);

/** What is left of "Page 1 of 3" without its fields. */
const PAGE_NUMBER = /^(?:p[áa]g(?:ina|\.)?|page|de|of|[\s\d/|–-])+$/i;

/** A Word document (Office Open XML): its headings, paragraphs, lists, tables, notes, text boxes, headers and footers. */
export async function readDocx(path: string): Promise<ReadDocument> {
  const bytes = await readFile(path);
  const content = sniff(bytes);
  if (content === 'compound' && bytes.includes(ENCRYPTED_PACKAGE)) {
    throw new UnreadableError(failure('ingestion.encrypted'));
  }
  if (content !== 'zip') throw new UnreadableError(failure('ingestion.wrong_type'));
  return withZip(path, async (parts) => readPackage(await DocxPackage.open(parts)));
}

async function readPackage(docx: DocxPackage): Promise<ReadDocument> {
  const relationships = await docx.relationshipsOf(docx.mainPart);
  const partsOf = (type: string) => targetsOf(relationships, type);
  const styles = new DocxStyles(await firstText(docx, partsOf('styles')));
  const numbering = new DocxNumbering(await firstText(docx, partsOf('numbering')), styles);
  const context = { styles, numbering, notes: new Map<string, number>() };
  const read = (part: string) => readPart(docx, part, context);
  const blocks = await read(docx.mainPart);
  for (const part of FURTHER_TEXT.flatMap((type) => partsOf(type))) blocks.push(...(await read(part)));
  const siteBlocks: Block[] = [];
  for (const part of [...partsOf('header'), ...partsOf('footer')]) siteBlocks.push(...(await read(part)));
  const unread = [...unreadCharacters(blocks), ...embeddedParts(relationships)];
  return { title: '', blocks, siteBlocks: distinct(siteBlocks), unread };
}

async function readPart(
  docx: DocxPackage,
  part: string,
  context: Omit<PartContext, 'relationships'>,
): Promise<Block[]> {
  const xml = await docx.textOf(part);
  if (xml === null) return [];
  const reader = new PartReader({ ...context, relationships: await docx.relationshipsOf(part) });
  readXml(xml, reader);
  return reader.finish();
}

async function firstText(docx: DocxPackage, [part]: readonly string[]): Promise<string | null> {
  return part === undefined ? null : docx.textOf(part);
}

function targetsOf(relationships: Relationships, type: string): string[] {
  const isInside = (one: Relationship) => one.type === type && !one.isExternal;
  return [...new Set([...relationships.values()].filter(isInside).map(({ target }) => target))];
}

function embeddedParts(relationships: Relationships): UnreadPart[] {
  const count = [...relationships.values()].filter(({ type }) => EMBEDDED.has(type)).length;
  return count === 0 ? [] : [unreadPart(failure('ingestion.embedded', { count }))];
}

/** First pages, even and odd pages have headers of their own, which often say the same. */
function distinct(blocks: readonly Block[]): Block[] {
  const seen = new Set<string>();
  return blocks.filter(({ text }) => {
    const isNew = !seen.has(text) && !PAGE_NUMBER.test(text);
    seen.add(text);
    return isNew;
  });
}
