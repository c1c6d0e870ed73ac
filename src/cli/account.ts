import 'reflect-metadata';
import { parseCommand, UsageError, USAGE } from './account/account-usage.js';

/** The services are loaded when a command needs them: help and mistakes are answered at once. */
async function run(args: readonly string[]): Promise<string> {
  const { name, options } = parseCommand(args);
  if (options.help === true || name === 'help') return USAGE;
  if (name === 'new-key') {
    const { makeToken } = await import('../common/auth/opaque-token.js');
    return makeToken('prosa_');
  }
  if (name === '') throw new UsageError('a command is needed');
  const [{ COMMANDS }, { accountServices }, { loadConfig }] = await Promise.all([
    import('./account/account-commands.js'),
    import('./account/account-services.js'),
    import('../config/load.js'),
  ]);
  const command = COMMANDS[name];
  if (!command) throw new UsageError(`unknown command ${name}`);
  const config = loadConfig();
  const { withCommandDatabase } = await import('./account/command-database.js');
  return withCommandDatabase(config.database, (database) =>
    command(accountServices(database, config), options),
  );
}

async function sentenceOf(error: unknown): Promise<string> {
  if (error instanceof UsageError) return `${error.message}\n\nFor help: npm run account -- --help`;
  const { DomainError } = await import('../common/errors/domain-error.js');
  if (!(error instanceof DomainError)) return error instanceof Error ? error.message : String(error);
  const { render } = await import('../i18n/catalogue.js');
  const texts = error.issues.length > 0 ? error.issues.map(({ text }) => text) : [error.text];
  return texts.map((text) => render(text, 'en')).join('\n');
}

try {
  console.log(await run(process.argv.slice(2)));
} catch (error) {
  console.error(await sentenceOf(error));
  process.exitCode = 1;
}
