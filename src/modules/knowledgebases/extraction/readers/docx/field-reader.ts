/** Fields whose results are numbers of pages. */
const OF_PAGES = /^\s*(?:PAGE|NUMPAGES|SECTIONPAGES|PAGEREF)\b/i;
const LINK = /^\s*HYPERLINK\s+"([^"]+)"/i;

interface OpenField {
  instruction: string;
  isHidden: boolean;
  hasResult: boolean;
  onEnd: (() => void) | void;
}

/** Fields of a text, which begin and end anywhere in it: an instruction, and then what it gave the last time. */
export class FieldReader {
  private readonly fields: OpenField[] = [];

  /** The address that an instruction leads to. */
  static linkIn(instruction: string): string | null {
    return LINK.exec(instruction)?.[1] ?? null;
  }

  get isHidden(): boolean {
    return this.fields.some(({ isHidden }) => isHidden);
  }

  begin(): void {
    this.fields.push({ instruction: '', isHidden: false, hasResult: false, onEnd: undefined });
  }

  addInstruction(text: string): void {
    const field = this.fields.at(-1);
    if (field && !field.hasResult) field.instruction += text;
  }

  /** The result begins. Returns the address that it leads to. */
  separate(): string | null {
    const field = this.fields.at(-1);
    if (!field) return null;
    field.hasResult = true;
    field.isHidden = OF_PAGES.test(field.instruction);
    return FieldReader.linkIn(field.instruction);
  }

  onEnd(end: (() => void) | void): void {
    const field = this.fields.at(-1);
    if (field) field.onEnd = end;
  }

  end(): void {
    this.fields.pop()?.onEnd?.();
  }
}
