/** Values by the name under which a prompt asks for them. */
type Named = Readonly<Record<string, unknown>>;

const SIMPLE_NAME = /^[\p{L}\p{M}\p{N}_.-]+$/u;
/** What JSON, markup and expressions of template languages hold, and names of columns do not. */
const NOT_IN_NAMES = /["`:;<>=|\r\n]|^[#/^!>&@']/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const MAX_NAME_LENGTH = 200;

/** Whether a text between braces is meant as the name of a variable, although nothing has that name. */
export function isVariableName(text: string): boolean {
  if (text.length > MAX_NAME_LENGTH) return false;
  return SIMPLE_NAME.test(text) || (LETTER_OR_DIGIT.test(text) && !NOT_IN_NAMES.test(text));
}

/**
 * What is left of a name when case, accents, blanks, underscores and other signs count for nothing: `Nome Completo`,
 * `nome_completo` and `NOME-COMPLETO` are one name. Empty for a name without letters and digits.
 */
export function foldedName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}

/** The names of one set of variables, to be found by each other's spelling. A name that is spelled alike always wins. */
export class VariableNames {
  private folded: ReadonlyMap<string, string> | null = null;

  constructor(private readonly variables: Named) {}

  /** The name under which the variable is there; null when it is not. */
  find(name: string): string | null {
    if (Object.hasOwn(this.variables, name)) return name;
    if (!isVariableName(name)) return null;
    this.folded ??= byFoldedName(Object.keys(this.variables));
    return this.folded.get(foldedName(name)) ?? null;
  }

  valueOf(name: string): unknown {
    const found = this.find(name);
    return found === null ? undefined : this.variables[found];
  }
}

/** Of several names that differ in their spelling alone, the first. */
export function byFoldedName(names: Iterable<string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of names) {
    const folded = foldedName(name);
    if (folded !== '' && !found.has(folded)) found.set(folded, name);
  }
  return found;
}

/**
 * Values of a more general source, as a more specific one leaves them: where that one spells a name otherwise and does not
 * have it as it is spelled here, its value counts for both spellings.
 */
export function overriddenBy(general: Named, specific: Named): Named {
  const names = new VariableNames(specific);
  return Object.fromEntries(
    Object.entries(general).map(([name, value]) => {
      const found = names.find(name);
      return [name, found === null ? value : specific[found]];
    }),
  );
}
