import type { Block } from '../../block.js';
import { BlockBuilder, type LineMark } from '../block-builder.js';
import type { DecimalMark } from '../raised-text.js';
import {
  attributeOf,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isText,
  shadowOf,
  textOf,
} from './html-tree.js';
import type { LinkWriter } from './link-writer.js';
import { ListNumbers } from './list-numbers.js';
import { type FactsOf, SKIPPED } from './node-facts.js';
import { isDisclosure, isIcon, isLayoutTable, isLinkList, isNavigation, isNotice } from './page-boxes.js';
import { optionsOf } from './select-options.js';
import { slotsOf } from './slots.js';
import { classesOf, type StruckText } from './struck-text.js';

const HEADING = /^h([1-6])$/;
const ENDS_LINE = new Set(
  'p div section article main header footer nav aside search form fieldset legend label ul ol menu dir li dl dt dd table thead tbody tfoot tr td th caption blockquote pre figure figcaption hr br details summary dialog address hgroup center body html button'.split(
    ' ',
  ),
);
const SECTIONS = new Set(['main', 'article', 'section', 'blockquote', 'td', 'li', 'figure', 'dialog']);
const RAISED = new Set(['sup', 'small']);
const CENTS = /^(?:.*[-_])?(?:cents?|centavos?|decimals?|fraction)$/i;
const MAX_TERM = 120;

export interface PageContext {
  readonly factsOf: FactsOf;
  readonly struck: StruckText;
  readonly decimalMark: DecimalMark;
  readonly links: LinkWriter;
}

export interface WalkOptions {
  /** Text of links to other pages is left out: of a menu or footer, only the rest is about the company. */
  readonly isFurniture?: boolean;
}

type Step = HtmlNode | { readonly leave: () => void };
type Leave = (() => void)[];

/** Reads the nodes of a page into blocks. Without recursion: how deeply a page is nested is its author's choice. */
export class PageWalker {
  /** Menus and footers, which the walk left out. */
  readonly furniture: HtmlElement[] = [];
  private readonly builder: BlockBuilder;
  private readonly stack: Step[] = [];
  private readonly lists = new ListNumbers();
  private readonly slots = new Map<HtmlElement, readonly HtmlNode[]>();
  private readonly dataTables: boolean[] = [];
  private sectionDepth = 0;
  private preDepth = 0;
  private linkListDepth = 0;
  private term = '';
  /** An inline element has just ended, and no text came since. */
  private isAfterInline = false;

  constructor(
    private readonly page: PageContext,
    private readonly options: WalkOptions = {},
  ) {
    this.builder = new BlockBuilder(page.decimalMark);
  }

  walk(roots: readonly HtmlNode[]): Block[] {
    this.push(roots);
    for (let step = this.stack.pop(); step !== undefined; step = this.stack.pop()) {
      if ('leave' in step) step.leave();
      else if (isText(step)) this.addText(step.value);
      else if (isElement(step)) this.enter(step);
    }
    return this.builder.finish();
  }

  private addText(text: string): void {
    this.isAfterInline = false;
    if (this.preDepth === 0) {
      this.builder.addText(text);
      return;
    }
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) this.builder.endLine();
      this.builder.addText(line);
    }
  }

  private enter(element: HtmlElement): void {
    const { tagName } = element;
    const isSkipped = SKIPPED.has(tagName) || isIcon(element) || this.page.struck.isStruck(element);
    if (isSkipped || this.isControl(element) || this.isOtherBox(element)) return;
    if (ENDS_LINE.has(tagName) || tagName.includes('-')) this.enterBlock(element);
    else this.enterInline(element);
  }

  /** Whether it is a control or a picture, whose text is added here when it has any. */
  private isControl(element: HtmlElement): boolean {
    switch (element.tagName) {
      case 'button':
        return !this.builder.isInHeading && !isDisclosure(element, textOf(element));
      case 'select':
        this.builder.addLine(optionsOf(element));
        return true;
      case 'img':
        this.addPicture(element);
        return true;
      default:
        return false;
    }
  }

  /** Whether it is no text of the page: a menu, a footer, a notice. */
  private isOtherBox(element: HtmlElement): boolean {
    const facts = this.page.factsOf(element);
    if (isNotice(element, facts)) return true;
    if (this.options.isFurniture) {
      return element.tagName === 'a' && facts.pageLinks > 0 && facts.digits < 2;
    }
    const isFooter = element.tagName === 'footer' && this.sectionDepth === 0;
    if (!isFooter && !isNavigation(element, facts)) return false;
    this.furniture.push(element);
    this.builder.endLine();
    return true;
  }

  private enterBlock(element: HtmlElement): void {
    const { tagName } = element;
    this.isAfterInline = false;
    if (tagName === 'table') this.enterTable(element);
    else if (/^t[rdh]$/.test(tagName) && this.dataTables.at(-1)) this.enterTablePart(element);
    else
      this.open(element, [...this.beginBlock(element), ...this.count(element), () => this.builder.endLine()]);
  }

  private beginBlock(element: HtmlElement): Leave {
    const level = headingLevelOf(element);
    if (level > 0) return this.beginHeading(level);
    switch (element.tagName) {
      case 'dl':
      case 'dt':
      case 'dd':
        return [this.beginDefinition(element.tagName)];
      case 'li':
        this.builder.beginItem(this.lists.itemPrefix(element));
        return [() => this.builder.endItem()];
      case 'ol':
      case 'ul':
      case 'menu':
        this.builder.endLine();
        this.lists.begin(element);
        return [() => this.lists.end()];
      default:
        this.builder.endLine();
        return [];
    }
  }

  private beginHeading(level: number): Leave {
    this.builder.beginHeading(level);
    return [() => this.builder.endHeading()];
  }

  /** What holds for all that is in the element; the functions end it. */
  private count(element: HtmlElement): Leave {
    const leave: Leave = [];
    if (SECTIONS.has(element.tagName)) {
      this.sectionDepth++;
      leave.push(() => this.sectionDepth--);
    }
    if (element.tagName === 'pre') {
      this.preDepth++;
      leave.push(() => this.preDepth--);
    }
    if (isLinkList(this.page.factsOf(element))) {
      this.linkListDepth++;
      leave.push(() => this.linkListDepth--);
    }
    return leave;
  }

  private enterInline(element: HtmlElement): void {
    const { tagName } = element;
    const level = headingLevelOf(element);
    if (level > 0) {
      this.open(element, this.beginHeading(level));
      return;
    }
    const mark = this.builder.mark();
    const leave: Leave = [];
    const isCents = classesOf(element).some((name) => CENTS.test(name));
    if (this.isAfterInline && !isCents) leave.push(() => this.builder.partWords(mark));
    if (RAISED.has(tagName) || isCents) {
      const isWeak = tagName === 'small' || this.page.factsOf(element).pageLinks > 0;
      leave.push(() => this.builder.raise(mark, isWeak && !isCents));
    }
    if (tagName === 'a') leave.unshift(() => this.leaveLink(element, mark));
    if (tagName === 'q') {
      this.builder.addText('“');
      leave.push(() => this.builder.addText('”'));
    }
    leave.push(() => {
      this.isAfterInline = true;
    });
    this.open(element, leave);
  }

  private leaveLink(link: HtmlElement, mark: LineMark): void {
    const isBare = this.linkListDepth > 0 || this.builder.isInHeading || Boolean(this.options.isFurniture);
    const text = this.builder.textSince(mark);
    const addition = this.page.links.additionTo({ link, text, isBare });
    if (addition !== '') this.builder.addText(addition);
  }

  private beginDefinition(tagName: 'dt' | 'dd' | 'dl'): () => void {
    if (tagName === 'dd') {
      this.builder.beginItem(this.term === '' ? '' : `${this.term}: `);
      this.term = '';
      return () => this.builder.endItem();
    }
    this.endTerm();
    this.builder.endLine();
    if (tagName === 'dl' || this.builder.isInCell) return () => this.endTerm();
    return () => {
      const term = this.builder.takeLine();
      if (term.length <= MAX_TERM) this.term = term.replace(/:$/, '');
      else this.builder.addLine(term);
    };
  }

  /** A term without a definition is a line of its own. */
  private endTerm(): void {
    this.builder.addLine(this.term);
    this.term = '';
  }

  private enterTable(element: HtmlElement): void {
    const isData = !isLayoutTable(element, this.page.factsOf(element));
    this.dataTables.push(isData);
    if (isData) this.builder.beginTable();
    else this.builder.endLine();
    this.open(element, [
      () => {
        this.dataTables.pop();
        if (isData) this.builder.endTable();
        else this.builder.endLine();
      },
    ]);
  }

  private enterTablePart(element: HtmlElement): void {
    if (element.tagName === 'tr') {
      this.open(element, [() => this.builder.endRow()]);
      return;
    }
    this.builder.beginCell({ columns: spanOf(element, 'colspan') || 1, rows: spanOf(element, 'rowspan') });
    this.sectionDepth++;
    this.open(element, [() => this.builder.endCell(), () => this.sectionDepth--]);
  }

  /** The words for a picture where there are no others: a mark in a table, a link. */
  private addPicture(image: HtmlElement): void {
    const { parentNode } = image;
    if (this.options.isFurniture || parentNode === null || !('tagName' in parentNode)) return;
    const isAlone =
      /^(?:td|th|a)$/.test(parentNode.tagName) && this.page.factsOf(parentNode).characters === 0;
    if (isAlone) this.addText(attributeOf(image, 'alt') ?? '');
  }

  private open(element: HtmlElement, leave: Leave): void {
    if (leave.length > 0) {
      this.stack.push({
        leave: () => {
          for (const end of leave) end();
        },
      });
    }
    this.push(this.childrenOf(element));
  }

  private push(nodes: readonly HtmlNode[]): void {
    for (let i = nodes.length - 1; i >= 0; i--) {
      const node = nodes[i];
      if (node) this.stack.push(node);
    }
  }

  /** As they are shown: a shadow tree in the place of what is in the element, which its slots show. */
  private childrenOf(element: HtmlElement): readonly HtmlNode[] {
    if (element.tagName === 'slot') return this.slots.get(element) ?? element.childNodes;
    const shadow = shadowOf(element);
    if (!shadow) return element.childNodes;
    const light = element.childNodes.filter((node) => node.nodeName !== 'template');
    const { assigned, rest } = slotsOf(shadow, light);
    for (const [slot, nodes] of assigned) this.slots.set(slot, nodes);
    return [...shadow, ...rest];
  }
}

function headingLevelOf(element: HtmlElement): number {
  const level = HEADING.exec(element.tagName)?.[1];
  if (level !== undefined) return Number(level);
  if (element.attrs.length === 0 || attributeOf(element, 'role') !== 'heading') return 0;
  const given = Number(attributeOf(element, 'aria-level') ?? 2);
  return given >= 1 && given <= 6 ? given : 2;
}

/** 1 where it is missing or no number; 0 rows are all that follow. */
function spanOf(cell: HtmlElement, name: 'colspan' | 'rowspan'): number {
  const span = Number.parseInt(attributeOf(cell, name) ?? '1', 10);
  return Number.isNaN(span) || span < 0 ? 1 : span;
}
