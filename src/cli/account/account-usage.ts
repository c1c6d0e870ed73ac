import { parseArgs } from 'node:util';
import { mistakeOf } from '../command-line.js';

export const USAGE = `Usage: npm run account -- <command> [options]

  list                                        every account
  show     --email E                          an account, its settings, balance and limits
  create   --email E --name N [--password P] [--country BR] [--timezone Z]
                                              make an account; prints its API key
  set      --email E [--password P] [--country BR] [--timezone Z] [--plan P]
           [--max-tools N] [--max-keys N] [--max-campaigns N] [--max-calls N] [--max-knowledgebases N]
           [--max-calls-per-second N] [--max-members N] [--max-sip-trunks N]
                                              change an account; a limit gives it a plan of its own
  delete   --email E [--force]                delete an account; one that holds anything with --force only.
                                              A running Prosa deletes what has files, calls or money
  credit   --email E --amount 10.00           add US dollars to its balance
  key      --email E --name N                 make a further API key
  password --email E [--password P]           set its password (a random one by default); its sessions end
  password-link E                             make a link by which the person of this e-mail, a member or the owner
                                              of an account, sets a new password; good for a day, once
  sign-in-link E                              make a link by which the person of this e-mail signs in once, also where
                                              passwords are switched off; good for ten minutes
  plan     --email E --plan unlimited         move it to another plan
  export   E FILE                             write all that an account has into a new file (tar, gzip)
  new-key                                     print a key fit for BOOTSTRAP_API_KEY, without storing it

E is an e-mail, which may follow the command without --email: npm run account -- show ana@example.com
Runs with or without a running Prosa, on the database of this environment (DATABASE_URL, or DATA_DIR).`;

/** A mistake in the command itself. */
export class UsageError extends Error {}

const OPTIONS = {
  email: { type: 'string' },
  file: { type: 'string' },
  name: { type: 'string' },
  password: { type: 'string' },
  country: { type: 'string' },
  timezone: { type: 'string' },
  amount: { type: 'string' },
  plan: { type: 'string' },
  'max-tools': { type: 'string' },
  'max-keys': { type: 'string' },
  'max-campaigns': { type: 'string' },
  'max-calls': { type: 'string' },
  'max-calls-per-second': { type: 'string' },
  'max-knowledgebases': { type: 'string' },
  'max-members': { type: 'string' },
  'max-sip-trunks': { type: 'string' },
  force: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Options that a command takes as words too, in this order. */
const WORDS: Readonly<Record<string, readonly ('email' | 'file')[]>> = {
  ...Object.fromEntries(
    [
      'show',
      'create',
      'set',
      'delete',
      'credit',
      'key',
      'password',
      'password-link',
      'sign-in-link',
      'plan',
    ].map((name) => [name, ['email'] as const]),
  ),
  export: ['email', 'file'],
};

export type Options = ReturnType<typeof parse>['values'];

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
}

/** @throws UsageError for an option there is not, one without its value or given twice, and for words too many */
export function parseCommand(args: readonly string[]): { name: string; options: Options } {
  try {
    const { positionals, values } = parse(args);
    const [name = '', ...words] = positionals;
    return { name, options: { ...values, ...optionsOf(name, words, values) } };
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof TypeError)) throw error;
    throw new UsageError(mistakeOf(error), { cause: error });
  }
}

function optionsOf(command: string, words: readonly string[], given: Options): Partial<Options> {
  const names = (Object.hasOwn(WORDS, command) && WORDS[command]) || [];
  const left = words.slice(names.length);
  if (left.length > 0) throw new UsageError(`unexpected words: ${left.join(' ')}`);
  const twice = names.slice(0, words.length).find((name) => given[name] !== undefined);
  if (twice !== undefined) throw new UsageError(`--${twice} is given twice`);
  return Object.fromEntries(words.map((word, index) => [names[index], word]));
}
