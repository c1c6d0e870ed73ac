import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

interface Import {
  /** Paths below the root. */
  readonly file: string;
  readonly imported: string;
}

/** Where every folder counts, at any depth, and the root itself as one. */
const DEEP = ['src/runtime/call', 'src/voice'];
/** Where the folders at the top count, with all that is below each. */
const FLAT = ['src/runtime', 'src/runtime/call', 'src/voice'];

describe('folders that import each other', () => {
  it.each(DEEP)('do not exist at any depth of %s', (root) => {
    expect(mutual(importsOf(root).map(({ file, imported }) => [dirname(file), dirname(imported)]))).toEqual(
      [],
    );
  });

  it.each(FLAT)('do not exist at the top of %s', (root) => {
    const between = importsOf(root)
      .map(({ file, imported }) => [topOf(file), topOf(imported)] as const)
      .filter(([from, to]) => from !== null && to !== null) as [string, string][];
    expect(mutual(between)).toEqual([]);
  });

  it('are found where there are some', () => {
    const imports: [string, string][] = [
      ['line', 'engine'],
      ['engine', 'audio'],
      ['engine', 'line'],
    ];
    expect(mutual(imports)).toEqual(['engine and line']);
  });
});

function mutual(edges: readonly (readonly [string, string])[]): string[] {
  const known = new Set(edges.map(([from, to]) => `${from}>${to}`));
  const pairs = edges
    .filter(([from, to]) => from !== to && known.has(`${to}>${from}`))
    .map((edge) => edge.toSorted().join(' and '));
  return [...new Set(pairs)].toSorted();
}

function topOf(path: string): string | null {
  const [top, ...rest] = path.split('/');
  return rest.length > 0 && top !== undefined ? top : null;
}

/** The imports between files below a root; specs may import from anywhere. */
function importsOf(root: string): Import[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  return files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bfrom '(?:#|(?=\.))([^']+)'/g)]
      .map(([, specifier = '']) => relative(root, pathOf(specifier, join(root, dirname(file)))))
      .filter((imported) => !imported.startsWith('..'))
      .map((imported) => ({ file, imported })),
  );
}

/** Of what a file of the folder imports, by a relative path or by one from the root of the repository. */
function pathOf(specifier: string, folder: string): string {
  return normalize(specifier.startsWith('.') ? join(folder, specifier) : specifier);
}
