import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a link ends with on a volume that has none, such as a share of Windows or a FAT drive. */
const WITHOUT_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

const MAX_WAIT_MS = 2_000;
const STEP_MS = 20;

/** The text of a small file, without the space around it; null when there is no such file. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * The text of a small file, made where there is none. Of several processes at once, one makes it and the others take it;
 * none takes a file without its content.
 *
 * @param makeLink in place of that of the system, for tests
 */
export async function readOrMake(path: string, make: () => string, makeLink = link): Promise<string> {
  const there = await readWritten(path);
  if (there !== null) return there;
  const made = make();
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(draft, `${made}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await putOnce(draft, path, made, makeLink);
    return made;
  } catch (error) {
    const others = isCode(error, 'EEXIST') ? await readWritten(path) : null;
    if (others === null) throw error;
    return others;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Fails, instead of replacing, where there is one. */
async function putOnce(draft: string, path: string, text: string, makeLink: typeof link): Promise<void> {
  try {
    await makeLink(draft, path);
  } catch (error) {
    if (!WITHOUT_LINKS.some((code) => isCode(error, code))) throw error;
    await writeFile(path, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true });
  }
}

/** On a volume without links, another process may have made the file and be about to write it. */
async function readWritten(path: string): Promise<string | null> {
  let text = await readIfThere(path);
  for (let waited = 0; text === '' && waited < MAX_WAIT_MS; waited += STEP_MS) {
    await sleep(STEP_MS);
    text = await readIfThere(path);
  }
  return text;
}

function isCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
