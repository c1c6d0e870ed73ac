import { Console } from 'node:console';

const output = new Console(process.stdout);

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function table(rows: readonly object[]): void {
  output.table(rows);
}

/** Says why, and lets the process end with an error. */
export function fail(line: string): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}
