import type { Block, ReadDocument } from './block.js';
import type { Passage, SearchLanguage } from './extraction.js';
import { languageOf } from './language.js';
import { tokensOf } from './tokens.js';

/** Sizes of a passage in tokens: large enough to answer from, small enough for several in a prompt. */
const MAX_TOKENS = 320;
/** A new heading begins a new passage unless the one before would be smaller than this. */
const MIN_TOKENS = 100;
/** Of a text that is cut, the end of one passage is repeated in the next, as far as it is not longer than this. */
const MAX_OVERLAP_TOKENS = 60;
const MAX_HEADING_LENGTH = 200;
const MAX_PIECE_LENGTH = 800;

interface Unit {
  readonly text: string;
  readonly tokens: number;
  readonly page: number | null;
  /** What joins it to the unit before. */
  readonly glue: ' ' | '\n';
}

interface OpenHeading {
  readonly level: number;
  readonly text: string;
  readonly page: number | null;
  /** Whether a passage has it. */
  isUsed: boolean;
}

interface OpenPassage {
  readonly headings: readonly string[];
  readonly units: Unit[];
  tokens: number;
}

/**
 * Cuts a document into passages along its structure: headings first, then paragraphs, then sentences. Each carries
 * the title and headings above it, so that it can be understood and found by itself.
 */
export function chunk({
  title,
  blocks,
  language = 'simple',
}: Pick<ReadDocument, 'title' | 'blocks' | 'language'>): Passage[] {
  const chunker = new Chunker(title, languageOf(sampleOf(blocks), language));
  for (const block of blocks) chunker.add(block);
  return chunker.finish();
}

class Chunker {
  private readonly passages: Passage[] = [];
  private readonly path: OpenHeading[] = [];
  private open: OpenPassage | null = null;

  constructor(
    private readonly title: string,
    private readonly language: SearchLanguage,
  ) {}

  add(block: Block): void {
    if (block.kind === 'heading') this.addHeading(block.level, block.text, block.page ?? null);
    else for (const unit of unitsOf(block.text, block.page ?? null)) this.addUnit(unit);
  }

  finish(): Passage[] {
    while (this.path.length > 0) this.popHeading();
    this.close();
    return this.passages;
  }

  private addHeading(level: number, text: string, page: number | null): void {
    const heading = text.slice(0, MAX_HEADING_LENGTH);
    while ((this.path.at(-1)?.level ?? 0) >= level) this.popHeading();
    // A short passage continues under a second heading, which then becomes a part of its text.
    const isUsed = this.open !== null && this.open.tokens < MIN_TOKENS;
    if (this.open && !isUsed) this.close();
    const added = { level, text: heading, page, isUsed };
    this.path.push(added);
    if (this.open) this.append(this.open, unitOf(added));
  }

  /** A heading without a text below it is text: some files set all of theirs as headings. */
  private popHeading(): void {
    const heading = this.path.pop();
    if (!heading || heading.isUsed) return;
    this.addUnit(unitOf(heading));
  }

  private addUnit(unit: Unit): void {
    if (this.open && this.open.tokens + unit.tokens > MAX_TOKENS) {
      const overlap = this.open.units.at(-1);
      const isWithinParagraph = unit.glue === ' ';
      this.close();
      if (isWithinParagraph && overlap && overlap.tokens <= MAX_OVERLAP_TOKENS) this.begin(overlap);
    }
    if (this.open) this.append(this.open, unit);
    else this.begin(unit);
  }

  private begin(unit: Unit): void {
    this.open = { headings: this.headings(), units: [], tokens: 0 };
    for (const heading of this.path) heading.isUsed = true;
    this.append(this.open, unit);
  }

  private append(passage: OpenPassage, unit: Unit): void {
    passage.units.push(unit);
    passage.tokens += unit.tokens;
  }

  private close(): void {
    const { open } = this;
    this.open = null;
    const [first, ...rest] = open?.units ?? [];
    if (!open || !first) return;
    const content = rest.reduce((text, unit) => text + unit.glue + unit.text, first.text);
    this.passages.push({
      headings: open.headings,
      content,
      page: first.page,
      tokens: open.tokens + tokensOf(open.headings.join(' › ')),
      language: languageOf(content, this.language),
    });
  }

  /** Title and headings, without one that only repeats the one before. */
  private headings(): string[] {
    const all = [this.title.slice(0, MAX_HEADING_LENGTH), ...this.path.map(({ text }) => text)];
    return all.filter((text, index) => text !== '' && text !== all[index - 1]);
  }
}

function unitOf({ text, page }: Pick<OpenHeading, 'text' | 'page'>): Unit {
  return { text, tokens: tokensOf(text), page, glue: '\n' };
}

const sentences = new Intl.Segmenter('pt', { granularity: 'sentence' });

/** A paragraph whole when it fits into a passage, otherwise its sentences, cut again where one is endless. */
function unitsOf(text: string, page: number | null): Unit[] {
  const whole: Unit = { text, tokens: tokensOf(text), page, glue: '\n' };
  if (whole.tokens <= MAX_TOKENS / 2) return text === '' ? [] : [whole];
  const pieces = Array.from(sentences.segment(text), ({ segment }) => segment.trim())
    .filter((sentence) => sentence !== '')
    .flatMap((sentence) => cut(sentence));
  return pieces.map((piece, index) => ({
    text: piece,
    tokens: tokensOf(piece),
    page,
    glue: index === 0 ? '\n' : ' ',
  }));
}

/** Pieces of bounded length, cut between words where there are any. */
function cut(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > MAX_PIECE_LENGTH) {
    const space = rest.lastIndexOf(' ', MAX_PIECE_LENGTH);
    const end = space > MAX_PIECE_LENGTH / 2 ? space : MAX_PIECE_LENGTH;
    pieces.push(rest.slice(0, end).trim().toWellFormed());
    rest = rest.slice(end).trim();
  }
  return rest === '' ? pieces : [...pieces, rest.toWellFormed()];
}

const SAMPLE_LENGTH = 20_000;

function sampleOf(blocks: readonly Block[]): string {
  let sample = '';
  for (const { text } of blocks) {
    if (sample.length > SAMPLE_LENGTH) break;
    sample += `${text.slice(0, SAMPLE_LENGTH)}\n`;
  }
  return sample;
}
