/** Space before the first word of an answer; with more of it nothing is waited for. */
const MAX_BEGINNING_CHARS = 200;

/** Words that set thoughts apart at the beginning of an answer, of models without marks, or whose marks were lost. */
const PHRASES: readonly {
  readonly begin: RegExp;
  readonly partial: readonly string[];
  readonly end: string;
}[] = [
  // gpt-oss, where the server drops the special tokens of its template.
  { begin: /^analysis[A-Z]/, partial: ['analysis'], end: 'assistantfinal' },
  // Granite 3.2
  {
    begin: /^Here(?: i|')s my thought process:/,
    partial: ['Here is my thought process:', "Here's my thought process:"],
    end: 'my response:',
  },
];

/** @returns the words that end the thought with which a text begins; `partial` where its first words do not decide */
export function phrasedThoughtIn(beginning: string): { readonly end: string } | 'partial' | null {
  const text = beginning.slice(0, MAX_BEGINNING_CHARS).trimStart();
  const found = PHRASES.find(({ begin }) => begin.test(text));
  if (found) return found;
  const isPartial = PHRASES.some(({ partial }) => partial.some((words) => words.startsWith(text)));
  return isPartial && beginning.length < MAX_BEGINNING_CHARS ? 'partial' : null;
}
