// Builds every folder of web/ that has a vite.config.ts, to web/dist.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const web = join(dirname(fileURLToPath(import.meta.url)), '..', 'web');

// Also for a test run: the pages are those of production.
process.env.NODE_ENV = 'production';

for (const name of readdirSync(web)) {
  const configFile = join(web, name, 'vite.config.ts');
  if (existsSync(configFile)) await build({ configFile, logLevel: 'warn' });
}
