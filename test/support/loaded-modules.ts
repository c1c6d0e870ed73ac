import { readFile } from 'node:fs/promises';

/** Which modules each file of the bundled programs holds, by their paths. The product must be built. */
export async function bundledModules(): Promise<ReadonlyMap<string, readonly string[]>> {
  const text = await readFile('dist/bundle/modules.json', 'utf8');
  return new Map(Object.entries(JSON.parse(text) as Record<string, string[]>));
}

/**
 * A value for `--import`: the process says `word` and the URL on its standard error when it loads a module whose path
 * matches, or a file of the bundle that holds one. Fails when the bundle holds none, because the word would never be printed.
 */
export async function tellingOf(path: RegExp, word: string): Promise<string> {
  const files = [...(await bundledModules())]
    .filter(([, modules]) => modules.some((module) => path.test(module)))
    .map(([file]) => `/dist/bundle/${file}`);
  if (files.length === 0) throw new Error(`the bundle holds nothing like ${path}`);
  const hook = `
    import { writeSync } from 'node:fs';
    const files = ${JSON.stringify(files)};
    export async function load(url, context, next) {
      if (${path}.test(url) || files.some((file) => url.endsWith(file))) writeSync(2, '${word} ' + url + '\\n');
      return next(url, context);
    }`;
  const hookUrl = `data:text/javascript,${encodeURIComponent(hook)}`;
  const program = `import { register } from 'node:module'; register(${JSON.stringify(hookUrl)});`;
  return `data:text/javascript,${encodeURIComponent(program)}`;
}
