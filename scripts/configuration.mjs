// `npm run configuration`: writes docs/reference/configuration.md and .env.example from the schema of the environment
// (src/config/environment.ts: type and default) and scripts/configuration/variables.json (description, role, example).
// With --check (`npm run check:configuration`) it writes nothing, and fails when a file would differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { register } from 'tsx/esm/api';
import { defaultOf, typeOf } from './configuration/schema-types.mjs';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

const DATA = 'scripts/configuration/variables.json';
const PAGE = 'docs/reference/configuration.md';
const EXAMPLE = '.env.example';
const LINE_LENGTH = 110;

register();
const { environmentSchema } = await import('../src/config/environment.ts');
const schemas = environmentSchema.shape;
const { sections } = JSON.parse(readFileSync(DATA, 'utf8'));

const problems = missingAndUnknown();
if (problems.length === 0) {
  const files = [
    [PAGE, await format(page(), { ...(await resolveConfig(PAGE)), parser: 'markdown' })],
    [EXAMPLE, example()],
  ];
  for (const [path, text] of files) {
    if (!process.argv.includes('--check')) writeFileSync(path, text);
    else if (readFileSync(path, 'utf8') !== text) {
      problems.push(`${path} does not match the schema and ${DATA}. Run: npm run configuration`);
    }
  }
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

function missingAndUnknown() {
  const documented = sections.flatMap(({ variables }) => variables.map(({ name }) => name));
  return [
    ...Object.keys(schemas)
      .filter((name) => !documented.includes(name))
      .map((name) => `${DATA} does not describe ${name} of src/config/environment.ts. Add it.`),
    ...documented
      .filter((name) => !(name in schemas))
      .map((name) => `${DATA} describes ${name}, which src/config/environment.ts does not read. Remove it.`),
  ];
}

function page() {
  const introduction = `# Configuration

You will find every environment variable that Prosa reads, with its type, default, role and an example.

Prosa reads the environment, and a file \`.env\` in its working directory. All variables are optional, and an empty
value counts as not set. A wrong value stops the start with a message that names the variable. Secrets can be in files:
\`DATABASE_URL_FILE=/run/secrets/database-url\` takes the place of \`DATABASE_URL\`, and every key, token and password has such a variable. The column Role says which
processes use the variable: with several processes, set it for each of them.

This page and \`.env.example\` are generated with \`npm run configuration\`.
`;
  const tables = sections.map(({ title, variables }) => {
    const rows = variables.map(({ name, roles, example: value, description }) => {
      const cells = [
        `\`${name}\``,
        typeOf(schemas[name]),
        codeOf(defaultOf(schemas[name])),
        roles.join(', '),
      ];
      return `| ${[...cells, codeOf(value), linked(description)].join(' | ')} |`;
    });
    return `## ${title}\n\n| Variable | Type | Default | Role | Example | Meaning |\n| --- | --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return [introduction, ...tables].join('\n');
}

function example() {
  const head =
    '# Every variable that Prosa reads, with its default. All are optional. Generated: npm run configuration\n';
  const parts = sections.map(({ title, variables }) => {
    const entries = variables.map(
      // `npm start` reads whether these two are set at all.
      ({ name, description, emptyInExample }) =>
        `${comment(description)}\n${name}=${emptyInExample ? '' : defaultOf(schemas[name])}`,
    );
    return `\n# --- ${title} ---\n${entries.join('\n')}\n`;
  });
  return head + parts.join('');
}

function codeOf(value) {
  return value === '' ? '' : `\`${value}\``;
}

/** Pages become links that work from the page of the reference. */
function linked(text) {
  return text.replaceAll(/\bdocs\/([\w/-]+)\.md/g, '[$1](../$1.md)');
}

function comment(text) {
  const lines = ['#'];
  for (const word of text.replaceAll('`', '').split(' ')) {
    if (lines.at(-1).length + word.length + 1 > LINE_LENGTH) lines.push('#');
    lines[lines.length - 1] += ` ${word}`;
  }
  return lines.join('\n');
}
