import { isOn, readXml } from './xml-events.js';

/** What a style of paragraphs or of letters says; what it leaves open is said by the style it is based on. */
export interface DocxStyle {
  readonly name?: string;
  readonly basedOn?: string;
  /** 0 for headings of the first level, 9 for text. */
  readonly outlineLevel?: number;
  readonly numId?: string;
  readonly listLevel?: number;
  readonly isStruck?: boolean;
  readonly isHidden?: boolean;
  readonly isRaised?: boolean;
}

type MutableStyle = { -readonly [Key in keyof DocxStyle]: DocxStyle[Key] };

const MAX_BASES = 20;
const HEADING_NAME = /^(?:heading|t[ií]tulo|ttulo|überschrift|berschrift|titre)\s*(\d)$/i;

export class DocxStyles {
  private readonly styles = new Map<string, MutableStyle>();
  private readonly resolved = new Map<string, DocxStyle>();

  constructor(xml: string | null) {
    let style: MutableStyle = {};
    if (xml === null) return;
    readXml(xml, {
      open: (name, attributes) => {
        const { val = '' } = attributes;
        if (name === 'style') {
          style = {};
          this.styles.set(attributes.styleId ?? '', style);
        } else if (name === 'name') style.name = val;
        else if (name === 'basedOn') style.basedOn = val;
        else if (name === 'outlineLvl') style.outlineLevel = Number(val);
        else if (name === 'numId') style.numId = val;
        else if (name === 'ilvl') style.listLevel = Number(val);
        else if (name === 'strike' || name === 'dstrike') style.isStruck = isOn(attributes);
        else if (name === 'vanish') style.isHidden = isOn(attributes);
        else if (name === 'vertAlign') style.isRaised = val === 'superscript';
      },
      close: (name) => {
        if (name === 'style') style = {};
      },
    });
  }

  /** A style with all that it takes from those it is based on. */
  find(id: string): DocxStyle {
    const known = this.resolved.get(id);
    if (known) return known;
    const chain: DocxStyle[] = [];
    let next: string | undefined = id;
    while (next !== undefined && chain.length < MAX_BASES) {
      const style: DocxStyle | undefined = this.styles.get(next);
      if (!style) break;
      chain.unshift(style);
      next = style.basedOn;
    }
    const style = Object.assign({}, ...chain) as DocxStyle;
    this.resolved.set(id, style);
    return style;
  }

  /** 1 to 6 for a heading, 0 for text. */
  headingLevelOf(id: string, ownLevel?: number): number {
    const { name = id, outlineLevel } = this.find(id);
    if (/^title$/i.test(name)) return 1;
    const named = HEADING_NAME.exec(name)?.[1];
    const level = ownLevel ?? outlineLevel ?? (named === undefined ? 9 : Number(named) - 1);
    return level >= 0 && level < 9 ? Math.min(level + 1, 6) : 0;
  }
}
