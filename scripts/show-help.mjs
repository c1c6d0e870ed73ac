import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Prints the comment at the head of a script, and ends the process, where `--help` or `-h` was given.
 *
 * @param {string | URL} script `import.meta.url`
 */
export function showHelp(script, args = process.argv.slice(2)) {
  if (!args.some((arg) => arg === '--help' || arg === '-h')) return;
  const lines = readFileSync(fileURLToPath(script), 'utf8').split('\n');
  if (lines[0].startsWith('#!')) lines.shift();
  const end = lines.findIndex((line) => !line.startsWith('//'));
  console.log(
    lines
      .slice(0, end)
      .map((line) => line.slice(3))
      .join('\n'),
  );
  process.exit(0);
}
