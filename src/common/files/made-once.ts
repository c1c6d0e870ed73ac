import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

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
 * none sees a file without its content.
 */
export async function readOrMake(path: string, make: () => string): Promise<string> {
  const there = await readIfThere(path);
  if (there !== null) return there;
  const made = make();
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(draft, `${made}\n`, { mode: 0o600, flag: 'wx', flush: true });
    // Fails, instead of replacing, where there is one.
    await link(draft, path);
    return made;
  } catch (error) {
    const others = isCode(error, 'EEXIST') ? await readIfThere(path) : null;
    if (others === null) throw error;
    return others;
  } finally {
    await rm(draft, { force: true });
  }
}

function isCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
