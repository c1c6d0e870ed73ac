import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { compressed } from '../compressed.ts';
import { entries, firstLoad, groups } from './first-load.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** `npm run console` serves it with a running Prosa behind it. */
export default defineConfig({
  root: folder('.'),
  base: '/app/',
  // Vite's own React plugin wants a newer Babel than jest has; without it only the hot refresh is missing.
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: folder('../dist/console'),
    emptyOutDir: true,
    target: 'es2022',
    // Fonts and pictures stay files: the policy of the page allows no data but for pictures.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The libraries that every page needs; measured as they are sent, by scripts/check-page-sizes.mjs.
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      input: entries,
      output: { codeSplitting: { groups } },
      onLog: (level, log, report) => {
        // Of libraries, for servers that draw pages; there is none.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  plugins: [firstLoad(), compressed()],
  // With the browser's own Host: the server compares it with the origin of the page.
  server: {
    proxy: Object.fromEntries(
      ['/api', '/plugins'].map((path) => [
        path,
        { target: process.env.PROSA_URL ?? 'http://127.0.0.1:3000', changeOrigin: false },
      ]),
    ),
  },
});
