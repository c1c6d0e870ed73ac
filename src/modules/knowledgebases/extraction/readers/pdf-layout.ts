import { type Block, cleanText } from '../block.js';

/** A run of text as a PDF has it; sizes in points, the origin at the bottom of the page. */
export interface TextItem {
  readonly text: string;
  readonly height: number;
  readonly y: number;
  readonly endsLine: boolean;
}

export interface Line {
  readonly text: string;
  /** Of its largest letters. */
  readonly height: number;
  /** Distance from the line above, null for the first of a page. */
  readonly gap: number | null;
}

/** A heading's letters are larger than those of the text by this factor. */
const HEADING_FACTOR = 1.15;
const MAX_HEADING_LENGTH = 120;
/** Lines further apart than this many line heights belong to different paragraphs. */
const PARAGRAPH_GAP = 1.7;
/** A line that stands on this share of many pages is a running head or foot. */
const RUNNING_SHARE = 0.5;
const EDGE_LINES = 2;
const MIN_PAGES_FOR_RUNNING = 4;

export function linesOf(items: readonly TextItem[]): Line[] {
  const lines: Line[] = [];
  let text = '';
  let height = 0;
  let y: number | null = null;
  let lastY: number | null = null;
  const endLine = () => {
    const cleaned = cleanText(text);
    if (cleaned !== '' && y !== null) {
      lines.push({ text: cleaned, height, gap: lastY === null ? null : Math.abs(lastY - y) });
      lastY = y;
    }
    text = '';
    height = 0;
    y = null;
  };
  for (const item of items) {
    text += item.text;
    height = Math.max(height, item.height);
    if (item.text.trim() !== '') y ??= item.y;
    if (item.endsLine) endLine();
  }
  endLine();
  return lines;
}

/** Joins the lines of all pages into headings and paragraphs. */
export function pageBlocks(pages: readonly (readonly Line[])[]): Block[] {
  const bodyHeight = commonHeight(pages);
  const running = runningLines(pages);
  const builder = new ParagraphBuilder();
  pages.forEach((lines, index) => {
    for (const line of lines.filter(
      ({ text }, place) => !isAtEdge(place, lines.length) || !running.has(withoutDigits(text)),
    )) {
      const level = headingLevel(line, bodyHeight);
      if (level > 0) builder.addHeading(line.text, level, index + 1);
      else builder.addLine(line, index + 1, bodyHeight);
    }
  });
  return builder.finish();
}

class ParagraphBuilder {
  private readonly blocks: Block[] = [];
  private text = '';
  private page = 1;

  addHeading(text: string, level: number, page: number): void {
    this.endParagraph();
    this.blocks.push({ kind: 'heading', level, text, page });
  }

  addLine({ text, gap }: Line, page: number, bodyHeight: number): void {
    const isNewParagraph =
      gap === null ? /[.!?:]$/.test(this.text) : gap > Math.max(bodyHeight, 1) * PARAGRAPH_GAP;
    if (isNewParagraph || /^[•▪‣·–-]\s/.test(text)) this.endParagraph();
    if (this.text === '') this.page = page;
    this.text = join(this.text, text);
  }

  finish(): Block[] {
    this.endParagraph();
    return this.blocks;
  }

  private endParagraph(): void {
    if (this.text !== '') this.blocks.push({ kind: 'text', text: this.text, page: this.page });
    this.text = '';
  }
}

/** A word parted at the end of a line is one word again. */
function join(text: string, line: string): string {
  if (text === '') return line;
  return /\p{L}-$/u.test(text) && /^\p{Ll}/u.test(line) ? text.slice(0, -1) + line : `${text} ${line}`;
}

function headingLevel({ text, height }: Line, bodyHeight: number): number {
  if (bodyHeight === 0 || text.length > MAX_HEADING_LENGTH || !/\p{L}/u.test(text)) return 0;
  const factor = height / bodyHeight;
  if (factor < HEADING_FACTOR) return 0;
  if (factor >= 1.8) return 1;
  return factor >= 1.4 ? 2 : 3;
}

/** The letter height most of the text has. */
function commonHeight(pages: readonly (readonly Line[])[]): number {
  const characters = new Map<number, number>();
  for (const { height, text } of pages.flat()) {
    const rounded = Math.round(height * 2) / 2;
    characters.set(rounded, (characters.get(rounded) ?? 0) + text.length);
  }
  return [...characters].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

function runningLines(pages: readonly (readonly Line[])[]): ReadonlySet<string> {
  if (pages.length < MIN_PAGES_FOR_RUNNING) return new Set();
  const counts = new Map<string, number>();
  for (const lines of pages) {
    const atEdges = lines.filter((_, place) => isAtEdge(place, lines.length));
    const edges = new Set(atEdges.map(({ text }) => withoutDigits(text)));
    for (const edge of edges) counts.set(edge, (counts.get(edge) ?? 0) + 1);
  }
  const isRunning = ([, count]: [string, number]) => count >= pages.length * RUNNING_SHARE;
  return new Set([...counts].filter(isRunning).map(([text]) => text));
}

/** Heads and feet are the first and last lines of a page; the same words within it are text. */
function isAtEdge(place: number, lines: number): boolean {
  return place < EDGE_LINES || place >= lines - EDGE_LINES;
}

/** Page numbers differ, their places do not. */
function withoutDigits(text: string): string {
  return text.replace(/\d+/g, '#');
}
