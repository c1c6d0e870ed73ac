// `npm start`: builds when the sources are newer than the last build, then runs, and starts anew after an unexpected end.
// Environment variables set what it does, also in a file `.env`: docs/reference/configuration.md lists them all.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildIfNeeded } from './build-if-needed.mjs';
import { showHelp } from './show-help.mjs';
import { supervise } from './supervisor.mjs';

showHelp(import.meta.url);

process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

await buildIfNeeded({ pages: true });
if (existsSync('.env')) process.loadEnvFile('.env');
// Roles or processes that are named are used. Otherwise calls get a process of their own. With a telephone there
// are two: one has the SIP trunks, and the other takes its calls over when it dies. They cannot share a port that is named.
const environment = { ...process.env };
if (!environment.PROSA_ROLES && !environment.VOICE_PROCESSES) {
  const sharesPort = Boolean(environment.VOICE_LISTEN) && !environment.VOICE_LISTEN.endsWith(':0');
  environment.VOICE_PROCESSES = environment.SIP_LISTEN && !sharesPort ? '2' : '1';
}
process.exit(await supervise(fileURLToPath(new URL('../dist/main.js', import.meta.url)), { environment }));
