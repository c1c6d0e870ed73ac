import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isNativeError } from 'node:util/types';
import type { z } from 'zod';
import { findContradictions } from './catalog-checks.js';
import { catalogSchema } from './catalog-schema.js';
import type { Catalog } from './catalog-schema.js';

/** The file that comes with the platform; an operator's own one replaces it as a whole. */
export const BUNDLED_CATALOG_PATH = fileURLToPath(new URL('./data/catalog.json', import.meta.url));

/** A catalogue that cannot be used; `problems` has one sentence for each thing to put right. */
export class CatalogFileError extends Error {
  override readonly name = 'CatalogFileError';

  constructor(
    readonly problems: readonly string[],
    message = problems.join('\n'),
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Reads a catalogue file and checks all of it.
 *
 * @param path of a UTF-8 JSON file
 * @throws CatalogFileError when the file is missing, unreadable, no JSON, or not a usable catalogue; it names the path
 */
export async function readCatalogFile(path: string): Promise<Catalog> {
  try {
    return parseCatalog(parseJson(await readContent(path)));
  } catch (error) {
    if (!(error instanceof CatalogFileError)) {
      throw error;
    }
    const message = `The catalogue file ${path} cannot be used:\n${error.message}`;
    throw new CatalogFileError(error.problems, message, { cause: error });
  }
}

/**
 * Checks a catalogue: first the shape of each record, then, once all shapes are right, how the records fit together.
 *
 * @param json the parsed content of a catalogue file
 * @throws CatalogFileError with every problem found, each naming its section and the record's index from zero
 */
export function parseCatalog(json: unknown): Catalog {
  const parsed = catalogSchema.safeParse(json);
  const problems = parsed.success
    ? findContradictions(parsed.data)
    : parsed.error.issues.flatMap(describeIssue);
  if (!parsed.success || problems.length > 0) {
    throw new CatalogFileError(problems);
  }
  return parsed.data;
}

async function readContent(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const isMissing = isNativeError(error) && 'code' in error && error.code === 'ENOENT';
    const problem = isMissing ? 'The file does not exist.' : `The file cannot be read: ${reasonOf(error)}.`;
    throw new CatalogFileError([problem], problem, { cause: error });
  }
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    const problem = `The content is not valid JSON: ${reasonOf(error)}.`;
    throw new CatalogFileError([problem], problem, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  return isNativeError(error) ? error.message : String(error);
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const [section, index, field, position] = issue.path.map(String);
  const place = section === undefined ? 'catalogue' : index === undefined ? section : `${section}[${index}]`;
  if (issue.code === 'unrecognized_keys') {
    const kind = section === undefined ? 'section' : 'field';
    return issue.keys.map((key) => `${place}: "${key}" is not a known ${kind}.`);
  }
  if (field === undefined) {
    return [`${place}: ${issue.message}.`];
  }
  return [`${place}: "${position === undefined ? field : `${field}[${position}]`}" ${issue.message}.`];
}
