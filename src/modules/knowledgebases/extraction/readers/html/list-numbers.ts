import { attributeOf, type HtmlElement, isElement } from './html-tree.js';
import { numberAs } from '../number-formats.js';

const TYPES: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
};

interface OpenList {
  readonly isOrdered: boolean;
  readonly format: string;
  readonly step: number;
  next: number;
}

/** Numbers of list items as a browser counts them. */
export class ListNumbers {
  private readonly lists: OpenList[] = [];

  begin(list: HtmlElement): void {
    const isReversed = attributeOf(list, 'reversed') !== null;
    const items = list.childNodes.filter((child) => isElement(child) && child.tagName === 'li').length;
    this.lists.push({
      isOrdered: list.tagName === 'ol',
      format: TYPES[attributeOf(list, 'type') ?? ''] ?? 'decimal',
      step: isReversed ? -1 : 1,
      next: integerOf(attributeOf(list, 'start')) ?? (isReversed ? items : 1),
    });
  }

  end(): void {
    this.lists.pop();
  }

  itemPrefix(item: HtmlElement): string {
    const list = this.lists.at(-1);
    if (!list?.isOrdered) return '- ';
    const number = integerOf(attributeOf(item, 'value')) ?? list.next;
    list.next = number + list.step;
    return `${numberAs(number, list.format)}. `;
  }
}

function integerOf(text: string | null): number | null {
  return text !== null && /^\s*-?\d{1,6}\s*$/.test(text) ? Number(text) : null;
}
