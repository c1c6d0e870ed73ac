import { type Block, cleanText } from '../../../block.js';
import { joinLines, KnownWords } from './line-join.js';
import { letterHeightOf } from '../layout/letter-height.js';
import type { Line } from '../layout/line.js';
import { runningLines } from './running-lines.js';

/** A heading's letters are larger than those of the text by this factor. */
const HEADING_FACTOR = 1.15;
const MAX_HEADING_LENGTH = 160;
const MAX_HEADING_LINES = 3;
/** Lines further apart than this many line heights belong to different paragraphs. */
const PARAGRAPH_GAP = 1.7;
const LIST_ITEM = /^[•▪‣·–-]\s/;

/** Joins the lines of all pages into headings and paragraphs. */
export function pageBlocks(pages: readonly (readonly Line[])[]): Block[] {
  const bodyHeight = letterHeightOf(pages.flat());
  const running = runningLines(pages, bodyHeight);
  const known = new KnownWords();
  // They are asked for where a line ends within a word.
  const lines = pages.flat().map(({ text }) => text);
  if (lines.some((text) => /[-\u2010]$/.test(text))) for (const text of lines) known.add(text);
  const builder = new ParagraphBuilder(known, bodyHeight);
  pages.forEach((lines, index) => {
    for (const line of lines) if (!running.has(line)) builder.add(line, index + 1);
  });
  return builder.finish();
}

class ParagraphBuilder {
  private readonly blocks: Block[] = [];
  private text = '';
  private page = 1;
  /** Lines in large letters that follow each other: one heading, or a text that is set large. */
  private large: { readonly level: number; readonly height: number; readonly lines: Line[] } | null = null;

  constructor(
    private readonly known: KnownWords,
    private readonly bodyHeight: number,
  ) {}

  add(line: Line, page: number): void {
    const level = line.isRow ? 0 : headingLevel(line, this.bodyHeight);
    if (level > 0) {
      this.addLarge(line, level, page);
      return;
    }
    this.endLarge();
    if (line.isRow) this.addRow(line.text, page);
    else this.addLine(line, page);
  }

  finish(): Block[] {
    this.endLarge();
    this.endParagraph();
    return this.blocks;
  }

  private addLarge(line: Line, level: number, page: number): void {
    const { large } = this;
    const isNext =
      large?.height === line.height && line.gap !== null && line.gap <= line.height * PARAGRAPH_GAP;
    if (!isNext) this.endLarge();
    if (this.large) {
      this.large.lines.push(line);
      return;
    }
    this.endParagraph();
    this.page = page;
    this.large = { level, height: line.height, lines: [line] };
  }

  private endLarge(): void {
    if (!this.large) return;
    const { level, lines } = this.large;
    this.large = null;
    const text = cleanText(lines.reduce((joined, line) => joinLines(joined, line.text, this.known), ''));
    const isHeading = lines.length <= MAX_HEADING_LINES && text.length <= MAX_HEADING_LENGTH;
    if (isHeading) this.blocks.push({ kind: 'heading', level, text, page: this.page });
    else if (text !== '') this.blocks.push({ kind: 'text', text, page: this.page });
  }

  private addRow(text: string, page: number): void {
    this.endParagraph();
    this.text = text;
    this.page = page;
    this.endParagraph();
  }

  private addLine({ text, gap }: Line, page: number): void {
    const isNewParagraph =
      gap === null ? /[.!?:]$/.test(this.text) : gap > Math.max(this.bodyHeight, 1) * PARAGRAPH_GAP;
    if (isNewParagraph || LIST_ITEM.test(text)) this.endParagraph();
    if (this.text === '') this.page = page;
    this.text = joinLines(this.text, text, this.known);
  }

  private endParagraph(): void {
    const text = cleanText(this.text);
    if (text !== '') this.blocks.push({ kind: 'text', text, page: this.page });
    this.text = '';
  }
}

function headingLevel({ text, height }: Line, bodyHeight: number): number {
  if (bodyHeight === 0 || text.length > MAX_HEADING_LENGTH || !/\p{L}/u.test(text)) return 0;
  const factor = height / bodyHeight;
  if (factor < HEADING_FACTOR) return 0;
  if (factor >= 1.8) return 1;
  return factor >= 1.4 ? 2 : 3;
}
