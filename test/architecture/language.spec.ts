import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';

interface Problems {
  readonly lines: number;
  readonly words: { line: number; word: string }[];
  readonly sentences: { line: number; count: number }[];
}

/** The checker is a script, which Jest does not load as a module. */
function problemsOf(file: string, text: string): Problems {
  const rules = { words: { gizmo: '"reported"', 'odd phrase': '"without success"' }, maxWords: 5 };
  const program = `import('./scripts/language/find-problems.mjs').then(({ findProblems }) => {
    const [file, text, rules] = JSON.parse(process.argv[1]);
    console.log(JSON.stringify(findProblems(file, text, rules)));
  });`;
  const input = JSON.stringify([file, text, rules]);
  return JSON.parse(execFileSync(process.execPath, ['-e', program, input], { encoding: 'utf8' })) as Problems;
}

describe('npm run check:language', () => {
  it('finds discouraged words in Markdown, with their lines', () => {
    const { words } = problemsOf('docs/x.md', '# Calls\n\nThe caller is gizmo.\nIt waits odd phrase.\n');
    expect(words).toEqual([
      { line: 3, word: 'gizmo' },
      { line: 4, word: 'odd phrase' },
    ]);
  });

  it('finds discouraged words in names and texts of code', () => {
    expect(problemsOf('src/x.ts', "const gizmo = 'gizmo';\n").words).toHaveLength(2);
  });

  it.each([
    ['code blocks', '```sh\necho gizmo\n```\n'],
    ['inline code', 'See `gizmo`.\n'],
    ['tables of bad examples', '| Instead of | Write |\n| --- | --- |\n| gizmo | reported |\n'],
  ])('skips %s', (_what, text) => {
    expect(problemsOf('docs/x.md', text).words).toEqual([]);
  });

  it('finds a sentence over the limit, at the line where it begins', () => {
    const text = 'Short one. Another short one.\nThis sentence has more words than five\nof them.\n';
    expect(problemsOf('docs/x.md', text).sentences).toEqual([expect.objectContaining({ line: 2, count: 9 })]);
  });

  it('reads a comment of several lines as one text', () => {
    const text = '/**\n * One sentence over two\n * lines of one comment.\n */\nconst x = 1;\n';
    expect(problemsOf('src/x.ts', text).sentences).toEqual([expect.objectContaining({ line: 2, count: 8 })]);
  });

  it('reads no sentences in code and in tables', () => {
    expect(problemsOf('src/x.ts', 'run(one, two, three, four, five, six, seven);\n').sentences).toEqual([]);
    expect(problemsOf('docs/x.md', '| one two three four five six seven |\n').sentences).toEqual([]);
  });
});
