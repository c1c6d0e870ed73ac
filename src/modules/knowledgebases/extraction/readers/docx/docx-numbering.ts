import { numberAs } from '../number-formats.js';
import type { DocxStyles } from './docx-styles.js';
import { isOn, readXml } from './xml-events.js';

interface Level {
  start: number;
  format: string;
  /** `%1.%2` with the numbers of the levels in it. */
  text: string;
  isDecimal: boolean;
  style: string;
}

interface AbstractList {
  readonly levels: Map<number, Level>;
  styleLink: string;
}

interface List {
  abstractId: string;
  readonly starts: Map<number, number>;
  readonly levels: Map<number, Level>;
}

const NO_LEVEL: Level = { start: 1, format: 'none', text: '', isDecimal: false, style: '' };

/** Numbers of clauses and list items, which Word does not write into the text. */
export class DocxNumbering {
  private readonly abstracts = new Map<string, AbstractList>();
  private readonly lists = new Map<string, List>();
  private readonly counters = new Map<string, (number | undefined)[]>();
  private readonly begun = new Set<string>();

  constructor(
    xml: string | null,
    private readonly styles: DocxStyles,
  ) {
    if (xml !== null) this.read(xml);
  }

  /** Counts a paragraph. Returns what Word shows before it, with a blank behind; empty for none. */
  next(numId: string, listLevel: number | undefined, styleId: string): string {
    const list = this.lists.get(numId);
    if (!list) return '';
    const abstractId = this.abstractIdOf(list);
    const levels = this.abstracts.get(abstractId)?.levels ?? new Map<number, Level>();
    const levelOf = (index: number) => list.levels.get(index) ?? levels.get(index) ?? NO_LEVEL;
    const index = listLevel ?? this.levelOfStyle(levels, styleId);
    const counter = this.counters.get(abstractId) ?? [];
    this.counters.set(abstractId, counter);
    this.restart(numId, list, counter);
    counter[index] = (counter[index] ?? levelOf(index).start - 1) + 1;
    counter.length = index + 1;
    return shown(levelOf(index), (at) => (counter[at] ??= levelOf(at).start), levelOf);
  }

  /** A list that begins again has numbers of its own for that. */
  private restart(numId: string, { starts }: List, counter: (number | undefined)[]): void {
    if (this.begun.has(numId)) return;
    this.begun.add(numId);
    for (const [index, start] of starts) counter[index] = start - 1;
  }

  private abstractIdOf({ abstractId }: List): string {
    const link = this.abstracts.get(abstractId)?.styleLink;
    const linked = link && this.lists.get(this.styles.find(link).numId ?? '');
    return linked ? linked.abstractId : abstractId;
  }

  private levelOfStyle(levels: ReadonlyMap<number, Level>, styleId: string): number {
    for (const [index, { style }] of levels) if (style !== '' && style === styleId) return index;
    return 0;
  }

  private read(xml: string): void {
    let abstract: AbstractList | null = null;
    let list: List | null = null;
    let overridden = 0;
    let level: Level = { ...NO_LEVEL };
    readXml(xml, {
      open: (name, attributes) => {
        const { val = '', abstractNumId, numId, ilvl } = attributes;
        switch (name) {
          case 'abstractNum':
            abstract = { levels: new Map(), styleLink: '' };
            this.abstracts.set(abstractNumId ?? '', abstract);
            break;
          case 'num':
            abstract = null;
            list = { abstractId: '', starts: new Map(), levels: new Map() };
            this.lists.set(numId ?? '', list);
            break;
          case 'lvl':
            level = { ...NO_LEVEL, format: 'decimal' };
            (abstract ?? list)?.levels.set(Number(ilvl), level);
            break;
          case 'abstractNumId':
            if (list) list.abstractId = val;
            break;
          case 'numStyleLink':
            if (abstract) abstract.styleLink = val;
            break;
          case 'lvlOverride':
            overridden = Number(ilvl);
            break;
          case 'startOverride':
            list?.starts.set(overridden, Number(val));
            break;
          case 'start':
            level.start = Number(val);
            break;
          case 'numFmt':
            level.format = val;
            break;
          case 'lvlText':
            level.text = val;
            break;
          case 'isLgl':
            level.isDecimal = isOn(attributes);
            break;
          case 'pStyle':
            level.style = val;
        }
      },
    });
  }
}

function shown(
  { format, text, isDecimal }: Level,
  numberOf: (index: number) => number,
  levelOf: (index: number) => Level,
): string {
  if (format === 'bullet') return '- ';
  if (format === 'none' && !text.includes('%')) return text === '' ? '' : `${text} `;
  const written = text.replace(/%([1-9])/g, (_, digit: string) => {
    const index = Number(digit) - 1;
    return numberAs(numberOf(index), isDecimal ? 'decimal' : levelOf(index).format);
  });
  return written.trim() === '' ? '' : `${written.trim()} `;
}
