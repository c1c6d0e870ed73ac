// Builds the widget into web/dist/widget: widget.js, which pages name, and hashed modules that it imports when needed.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { compressed } from '../compressed.ts';

const here = dirname(fileURLToPath(import.meta.url));
const LOADER = 'widget.js';

export default defineConfig({
  root: here,
  base: './',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [classicLoader(), chatPage(), compressed()],
  build: {
    outDir: join(here, '../dist/widget'),
    emptyOutDir: true,
    // Browsers since spring 2024: light-dark() and relative colours need no stand-in.
    target: ['chrome123', 'edge123', 'firefox128', 'safari18'],
    modulePreload: false,
    // Files of their own: a host page's policy allows our origin, and no data: address.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        widget: join(here, 'loader/widget.ts'),
        panel: join(here, 'panel/mount.tsx'),
        chat: join(here, 'page/chat.ts'),
      },
      preserveEntrySignatures: 'allow-extension',
      output: {
        entryFileNames: ({ name }) => (name === 'widget' ? LOADER : 'widget-assets/[name]-[hash].js'),
        chunkFileNames: 'widget-assets/[name]-[hash].js',
        assetFileNames: 'widget-assets/[name]-[hash][extname]',
      },
    },
  },
});

type Bundle = Parameters<Extract<Plugin['generateBundle'], CallableFunction>>[1];

function entryOf(bundle: Bundle, name: string) {
  const files = Object.values(bundle).filter((file) => file.type === 'chunk');
  const entry = files.find((file) => file.isEntry && file.name === name);
  if (!entry) throw new Error(`The build has made no ${name}.`);
  return entry;
}

/**
 * Builds the loader as a classic script: pages load it by a plain script tag, and it has to find that tag. A classic script of
 * another origin cannot resolve relative imports, so the build inserts the name of the panel's file.
 */
function classicLoader(): Plugin {
  return {
    name: 'classic-loader',
    generateBundle: (_options, bundle) => {
      const loader = entryOf(bundle, 'widget');
      if (loader.imports.length > 0)
        throw new Error(`${LOADER} imports ${loader.imports.join()}; it has to be one file.`);
      const code = loader.code.replace('__PANEL_FILE__', entryOf(bundle, 'panel').fileName);
      loader.code = `(()=>{${code}})();\n`;
    },
  };
}

/** The page of its own, which names files by their hashes. */
function chatPage(): Plugin {
  return {
    name: 'chat-page',
    generateBundle(_options, bundle) {
      const chat = entryOf(bundle, 'chat');
      const source = readFileSync(join(here, 'page/chat.html'), 'utf8')
        .replace('__CHAT_FILE__', chat.fileName)
        .replace('__PANEL_FILE__', entryOf(bundle, 'panel').fileName)
        .replace('__CHAT_STYLE__', [...(chat.viteMetadata?.importedCss ?? [])].join());
      this.emitFile({ type: 'asset', fileName: 'chat.html', source });
    },
  };
}
