import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readOrMake } from './made-once.js';

const withoutLinks = (code: string) => () =>
  Promise.reject(Object.assign(new Error(`${code}: link`), { code }));

describe('a small file that is made once', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-once-'));
    path = join(folder, 'made');
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it.each([undefined, 'EPERM', 'ENOTSUP', 'ENOSYS'])(
    'is the same for all that ask at once, also where a link is refused with %s',
    async (code) => {
      const makeLink = code === undefined ? undefined : withoutLinks(code);
      const texts = await Promise.all(
        Array.from({ length: 20 }, (_unused, at) => readOrMake(path, () => `text ${at}`, makeLink)),
      );
      expect(new Set(texts).size).toBe(1);
      expect(await readFile(path, 'utf8')).toBe(`${texts[0] ?? ''}\n`);
      expect(await readdir(folder)).toEqual(['made']);
    },
  );

  it('is waited for while another process has only begun it', async () => {
    await writeFile(path, '');
    const text = readOrMake(path, () => 'mine');
    setTimeout(() => void writeFile(path, 'theirs\n'), 100);
    expect(await text).toBe('theirs');
  });

  it('fails with what a full volume says', async () => {
    await expect(readOrMake(path, () => 'mine', withoutLinks('ENOSPC'))).rejects.toThrow('ENOSPC');
    expect(await readdir(folder)).toEqual([]);
  });
});
