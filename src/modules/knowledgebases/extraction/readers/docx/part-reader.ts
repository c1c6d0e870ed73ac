import type { Block } from '../../block.js';
import { addressBehind, contactOf, pageAddressOf } from '../html/link-address.js';
import type { DocxNumbering } from './docx-numbering.js';
import type { Relationships } from './docx-package.js';
import type { DocxStyles } from './docx-styles.js';
import { FieldReader } from './field-reader.js';
import { PartState } from './part-state.js';
import { signOf } from './signs.js';
import { type Attributes, isOn, type XmlHandler } from './xml-events.js';

/** Deleted and moved text, what other programs show in the place of something, and readings above a word. */
const SKIPPED = new Set(['del', 'moveFrom', 'Fallback', 'rt', 'delText', 'delInstrText', 'binData']);
const SKIP = Symbol('skip');

export interface PartContext {
  readonly styles: DocxStyles;
  readonly numbering: DocxNumbering;
  readonly relationships: Relationships;
  /** Numbers of the notes that the text refers to, by their kind and id. */
  readonly notes: Map<string, number>;
}

type Leave = (() => void) | void;
type OpenElement = (attributes: Attributes) => Leave | typeof SKIP;

/** Reads a part of a Word document into blocks: its text, a header, the notes. */
export class PartReader implements XmlHandler {
  private state = new PartState();
  private readonly leaves: Leave[] = [];
  private readonly fields = new FieldReader();
  private readonly placeholders: boolean[] = [];
  private readonly given = new Set<string>();
  private skippedDepth = 0;
  private textDepth = 0;
  private isInstruction = false;

  constructor(private readonly context: PartContext) {}

  finish(): Block[] {
    this.state.addBoxes();
    return this.state.builder.finish();
  }

  open(name: string, attributes: Attributes): void {
    if (this.skippedDepth > 0 || SKIPPED.has(name)) {
      this.skippedDepth++;
      return;
    }
    const leave = this.elements.get(name)?.(attributes);
    if (leave === SKIP) this.skippedDepth++;
    else this.leaves.push(leave);
  }

  text(text: string): void {
    if (this.skippedDepth > 0) return;
    if (this.isInstruction) this.fields.addInstruction(text);
    else if (this.textDepth > 0) this.addText(text);
  }

  close(): void {
    if (this.skippedDepth > 0) this.skippedDepth--;
    else this.leaves.pop()?.();
  }

  private readonly elements: ReadonlyMap<string, OpenElement> = new Map<string, OpenElement>([
    ['p', () => this.openParagraph()],
    ['r', () => this.openRun()],
    ['t', () => this.openText()],
    ['instrText', () => this.openInstruction()],
    ['txbxContent', () => this.openTextBox()],
    ['txBody', () => this.openTextBox()],
    ['hyperlink', ({ id = '' }) => this.openLink(this.context.relationships.get(id)?.target ?? '')],
    ['fldSimple', ({ instr = '' }) => this.openSimpleField(instr)],
    ['fldChar', ({ fldCharType = '' }) => this.addFieldMark(fldCharType)],
    ['footnoteReference', ({ id = '' }) => this.addNoteMark(`footnote ${id}`)],
    ['endnoteReference', ({ id = '' }) => this.addNoteMark(`endnote ${id}`)],
    ['footnote', (attributes) => this.openNote('footnote', attributes)],
    ['endnote', (attributes) => this.openNote('endnote', attributes)],
    ['sdt', () => this.openControl()],
    ['showingPlcHdr', (attributes) => this.setPlaceholder(isOn(attributes))],
    ['sdtContent', () => (this.placeholders.at(-1) ? SKIP : undefined)],
    ...this.tableElements(),
    ...this.propertyElements(),
    ...this.signElements(),
  ]);

  private tableElements(): [string, OpenElement][] {
    return [
      ['tbl', () => (this.state.beginTable(), () => this.state.endTable())],
      ['gridCol', () => this.withTable((table) => table.columns++)],
      ['tr', () => (this.state.beginRow(), () => this.state.endRow())],
      ['gridBefore', ({ val }) => this.state.addEmptyCells(Number(val))],
      ['tc', () => this.openCell()],
      ['gridSpan', ({ val }) => this.withCell((cell) => (cell.columns = Number(val) || 1))],
      ['vMerge', ({ val }) => this.withCell((cell) => (cell.isContinued = val !== 'restart'))],
    ];
  }

  private propertyElements(): [string, OpenElement][] {
    return [
      ['pStyle', ({ val = '' }) => this.withParagraph((paragraph) => (paragraph.styleId = val))],
      ['numId', ({ val }) => this.withParagraph((paragraph) => (paragraph.numId = val))],
      ['ilvl', ({ val }) => this.withParagraph((paragraph) => (paragraph.listLevel = Number(val)))],
      ['outlineLvl', ({ val }) => this.withParagraph((paragraph) => (paragraph.outlineLevel = Number(val)))],
      ['rStyle', ({ val = '' }) => this.applyStyle(val)],
      ['strike', (attributes) => this.withRun((run) => (run.isStruck = isOn(attributes)))],
      ['dstrike', (attributes) => this.withRun((run) => (run.isStruck = isOn(attributes)))],
      ['vanish', (attributes) => this.withRun((run) => (run.isHidden = isOn(attributes)))],
      ['vertAlign', ({ val }) => this.withRun((run) => (run.isRaised = val === 'superscript'))],
    ];
  }

  private signElements(): [string, OpenElement][] {
    const add = (text: string) => this.withRun(() => this.addText(text));
    return [
      ['tab', () => add(' ')],
      ['ptab', () => add(' ')],
      ['br', () => this.breakLine()],
      ['cr', () => this.breakLine()],
      ['noBreakHyphen', () => add('-')],
      ['softHyphen', () => add('\u00ad')],
      ['sym', ({ char = '', font = '' }) => add(signOf(char, font))],
    ];
  }

  private openParagraph(): Leave {
    const { state } = this;
    state.beginCell();
    state.builder.endLine();
    state.paragraph = { styleId: '', hasBegun: false };
    return () => {
      // A paragraph without text has a number all the same.
      if (state.paragraph) this.beginParagraph();
      state.builder.endHeading();
      state.builder.endItem();
      state.paragraph = null;
      state.addBoxes();
    };
  }

  /** Writes the number of the paragraph once all of its properties are known. */
  private beginParagraph(): void {
    const { paragraph, builder } = this.state;
    if (!paragraph || paragraph.hasBegun) return;
    paragraph.hasBegun = true;
    const { styleId, outlineLevel } = paragraph;
    const style = this.context.styles.find(styleId);
    const numId = paragraph.numId ?? style.numId ?? '0';
    const listLevel = paragraph.listLevel ?? style.listLevel;
    const number = numId === '0' ? '' : this.context.numbering.next(numId, listLevel, styleId);
    builder.beginItem(this.state.notePrefix + number);
    this.state.notePrefix = '';
    const level = this.context.styles.headingLevelOf(styleId, outlineLevel);
    if (level > 0) builder.beginHeading(level);
  }

  private openRun(): Leave {
    const { state } = this;
    const style = this.context.styles.find(state.paragraph?.styleId ?? '');
    const run = {
      isStruck: style.isStruck ?? false,
      isHidden: style.isHidden ?? false,
      isRaised: false,
      mark: null,
    };
    state.run = run;
    return () => {
      const { mark } = state.run ?? run;
      if (state.run?.isRaised && mark) state.builder.raise(mark, false);
      state.run = null;
    };
  }

  private openText(): Leave {
    this.textDepth++;
    return () => this.textDepth--;
  }

  private openInstruction(): Leave {
    this.isInstruction = true;
    return () => {
      this.isInstruction = false;
    };
  }

  private addText(text: string): void {
    const { run, builder } = this.state;
    if (run?.isStruck || run?.isHidden || this.fields.isHidden || this.state.isInContinuedCell) return;
    this.beginParagraph();
    if (run) run.mark ??= builder.mark();
    builder.addText(text);
  }

  private breakLine(): void {
    const { run, builder } = this.state;
    if (!run) return;
    if (builder.isInHeading) builder.addText(' ');
    else builder.endLine();
  }

  /** The text of a shape is in the middle of a paragraph, and is read after it. */
  private openTextBox(): Leave {
    const outer = this.state;
    this.state = new PartState();
    return () => {
      outer.boxes.push(...this.finish());
      this.state = outer;
    };
  }

  private openLink(target: string): Leave {
    this.beginParagraph();
    const { builder } = this.state;
    const mark = builder.mark();
    return () => builder.addText(this.addressOf(target, builder.textSince(mark)));
  }

  /** Each address of a page is written once. */
  private addressOf(target: string, text: string | null): string {
    const contact = contactOf(target);
    if (contact !== null) return addressBehind(text ?? '', contact);
    const address = URL.canParse(target) ? pageAddressOf(target, target, '') : null;
    if (address === null || text === null || text.trim() === '' || this.given.has(address)) return '';
    this.given.add(address);
    return addressBehind(text, address);
  }

  private openSimpleField(instruction: string): Leave {
    const target = FieldReader.linkIn(instruction);
    if (target !== null) return this.openLink(target);
    this.fields.begin();
    this.fields.addInstruction(instruction);
    this.fields.separate();
    return () => {
      this.fields.end();
    };
  }

  private addFieldMark(type: string): void {
    if (type === 'begin') this.fields.begin();
    else if (type === 'separate') {
      const target = this.fields.separate();
      if (target !== null) this.fields.onEnd(this.openLink(target));
    } else if (type === 'end') this.fields.end();
  }

  private addNoteMark(note: string): void {
    const { notes } = this.context;
    if (!notes.has(note)) notes.set(note, notes.size + 1);
    this.addText(`[${notes.get(note)}]`);
  }

  /** Lines above notes are parts of the same file. */
  private openNote(kind: string, { id = '', type = 'normal' }: Attributes): Leave | typeof SKIP {
    if (type !== 'normal') return SKIP;
    const number = this.context.notes.get(`${kind} ${id}`);
    if (number !== undefined) this.state.notePrefix = `[${number}] `;
    return undefined;
  }

  private openControl(): Leave {
    this.placeholders.push(false);
    return () => {
      this.placeholders.pop();
    };
  }

  /** A form field that was not filled in contains only its placeholder. */
  private setPlaceholder(isPlaceholder: boolean): void {
    if (this.placeholders.length > 0) this.placeholders[this.placeholders.length - 1] = isPlaceholder;
  }

  private openCell(): Leave {
    const { state } = this;
    state.cells.push({ columns: 1, isContinued: false, hasBegun: false });
    return () => state.endCell();
  }

  private applyStyle(id: string): void {
    const { isStruck, isHidden, isRaised } = this.context.styles.find(id);
    this.withRun((run) => {
      run.isStruck = isStruck ?? run.isStruck;
      run.isHidden = isHidden ?? run.isHidden;
      run.isRaised = isRaised ?? run.isRaised;
    });
  }

  private withRun(change: (run: NonNullable<PartState['run']>) => void): void {
    if (this.state.run) change(this.state.run);
  }

  private withParagraph(change: (paragraph: NonNullable<PartState['paragraph']>) => void): void {
    const { paragraph } = this.state;
    if (paragraph && !paragraph.hasBegun) change(paragraph);
  }

  private withTable(change: (table: PartState['tables'][number]) => void): void {
    const table = this.state.tables.at(-1);
    if (table) change(table);
  }

  private withCell(change: (cell: PartState['cells'][number]) => void): void {
    const cell = this.state.cells.at(-1);
    if (cell && !cell.hasBegun) change(cell);
  }
}
