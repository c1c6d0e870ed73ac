import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const FILE = 'encryption.key';

/** The keys for secrets at rest: those of the environment, or one made at first start and kept in the data folder. */
export async function encryptionKeys(
  configured: readonly string[] | undefined,
  dataDir: string,
): Promise<readonly string[]> {
  if (configured) return configured;
  const path = join(dataDir, FILE);
  return [(await read(path)) ?? (await make(path))];
}

/** The same without making one: null where there is none. */
export async function findEncryptionKeys(
  configured: readonly string[] | undefined,
  dataDir: string,
): Promise<readonly string[] | null> {
  if (configured) return configured;
  const key = await read(join(dataDir, FILE));
  return key === null ? null : [key];
}

async function read(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Of several first starts at once, one makes the key and the others take it; none sees a file without its content. */
async function make(path: string): Promise<string> {
  const key = randomBytes(32).toString('base64');
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(draft, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true });
    // Fails, instead of replacing, where there is one.
    await link(draft, path);
    return key;
  } catch (error) {
    const made = isCode(error, 'EEXIST') ? await read(path) : null;
    if (made === null) throw error;
    return made;
  } finally {
    await rm(draft, { force: true });
  }
}

function isCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
