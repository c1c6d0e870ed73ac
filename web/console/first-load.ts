import { fileURLToPath } from 'node:url';
import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite';

/** The page, and the small file that it runs before the libraries have loaded. */
export const entries = { index: inConsole('index.html'), preload: inConsole('src/preload.ts') };

/**
 * Code that several pages share goes into few files, except code of the first page. Each file costs about 800 bytes of headers,
 * and a browser loads at most six at a time.
 */
export const groups: Rolldown.CodeSplittingGroup[] = [
  {
    // `preload.ts` runs before the libraries have loaded, so what it imports must not be in their file: nor the function that
    // the build puts around each `import()`.
    name: 'languages',
    test: /web.shared.languages\.ts$|vite.preload-helper/,
    priority: 1,
  },
  {
    // Code that at least 16 pages share. With a lower number the first page would load code that it does not need.
    name: 'base',
    minShareCount: 16,
    includeDependenciesRecursively: false,
  },
  {
    name: 'icons',
    test: /node_modules.lucide-react/,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
];

/** A page of the navigation; its folder is its path. */
const PAGE = /\/src\/(?:pages\/([a-z-]+)\/page|session\/(sign-in)-page)\.tsx$/;
const BASE = '/app/';

/**
 * Makes browsers load the files of the first screen in parallel.
 *
 * `index.html` runs `preload.ts` as soon as that is there. And each page of the navigation gets a copy of it by its own path,
 * `inbox.html`, that names the files of that page as well: the server sends it for `/app/inbox`.
 */
export function firstLoad(): Plugin {
  return {
    name: 'prosa-first-load',
    apply: 'build',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        chunksOf(bundle)
          .filter(({ isEntry, facadeModuleId }) => isEntry && facadeModuleId === entries.preload)
          .map(({ fileName }) => scriptOf(fileName)),
    },
    generateBundle(_options, bundle) {
      const index = bundle['index.html'];
      if (index?.type !== 'asset') throw new Error('the build has no index.html');
      const html = String(index.source);
      for (const chunk of chunksOf(bundle)) {
        const [, folder, other] = PAGE.exec(chunk.facadeModuleId ?? '') ?? [];
        const name = folder ?? other;
        if (!name) continue;
        const links = filesOf(chunk, bundle).filter((file) => !html.includes(file));
        const source = html.replace('</head>', `${links.map(linkOf).join('')}</head>`);
        this.emitFile({ type: 'asset', fileName: `${name}.html`, source });
      }
    },
  };
}

/** A chunk, what it imports at once, and the styles of all these. */
function filesOf(
  chunk: Rolldown.OutputChunk,
  bundle: Rolldown.OutputBundle,
  seen = new Set<string>(),
): string[] {
  if (!seen.has(chunk.fileName)) {
    seen.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style);
    for (const imported of chunksOf(bundle)) {
      if (chunk.imports.includes(imported.fileName)) filesOf(imported, bundle, seen);
    }
  }
  return [...seen];
}

function chunksOf(bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  return Object.values(bundle).filter((file) => file.type === 'chunk');
}

function linkOf(file: string): string {
  const rel = file.endsWith('.css') ? 'stylesheet' : 'modulepreload';
  return `  <link rel="${rel}" crossorigin href="${BASE}${file}">\n  `;
}

function scriptOf(file: string): HtmlTagDescriptor {
  const attrs = {
    type: 'module',
    async: true,
    fetchpriority: 'high',
    crossorigin: true,
    src: `${BASE}${file}`,
  };
  return { tag: 'script', attrs, injectTo: 'head' };
}

function inConsole(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
