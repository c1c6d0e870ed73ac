import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import {
  FileMissingError,
  type FileStorage,
  StorageError,
} from '../../src/providers/storage/file-storage.js';

/** Defines the tests every adapter of the FileStorage port passes. */
export function describeFileStorageConformance(name: string, storage: () => FileStorage): void {
  const put = (key: string, content: Buffer) =>
    storage().put(key, Readable.from([content]), {
      bytes: content.length,
      contentType: 'application/octet-stream',
    });
  const read = async (key: string) => buffer(await storage().get(key));

  describe(`${name} as a FileStorage`, () => {
    it('gives back what was stored, byte by byte', async () => {
      const content = randomBytes(3_000_000);
      await put('a/b/large.pdf', content);

      expect((await read('a/b/large.pdf')).equals(content)).toBe(true);
    });

    it.each([
      [0, 9],
      [10, 1_999],
      [2_999_999, 2_999_999],
      [0, 2_999_999],
    ])('gives back the bytes from %i to %i alone', async (start, end) => {
      const content = randomBytes(3_000_000);
      await put('a/b/part.ogg', content);

      const part = await buffer(await storage().get('a/b/part.ogg', { start, end }));
      expect(part.equals(content.subarray(start, end + 1))).toBe(true);
    });

    it('stores an empty file', async () => {
      await put('a/empty.txt', Buffer.alloc(0));

      expect(await read('a/empty.txt')).toHaveLength(0);
    });

    it('replaces what a key held', async () => {
      await put('a/twice.txt', Buffer.from('first, and longer'));
      await put('a/twice.txt', Buffer.from('second'));

      expect((await read('a/twice.txt')).toString()).toBe('second');
    });

    it('says that a file is missing', async () => {
      await expect(storage().get('a/none.txt')).rejects.toThrow(FileMissingError);
      await expect(storage().get('a/none.txt', { start: 0, end: 1 })).rejects.toThrow(FileMissingError);
    });

    it('deletes, and takes the deletion of what is not there for a success', async () => {
      await put('a/gone.txt', Buffer.from('x'));

      await storage().delete('a/gone.txt');
      await storage().delete('a/gone.txt');

      await expect(storage().get('a/gone.txt')).rejects.toThrow(FileMissingError);
    });

    it('deletes everything that begins with a prefix, and nothing else', async () => {
      await put('p/1/a.txt', Buffer.from('x'));
      await put('p/1/deep/b.txt', Buffer.from('x'));
      await put('p/10/c.txt', Buffer.from('kept'));

      await storage().deletePrefix('p/1/');
      await storage().deletePrefix('p/1/');

      await expect(storage().get('p/1/a.txt')).rejects.toThrow(FileMissingError);
      await expect(storage().get('p/1/deep/b.txt')).rejects.toThrow(FileMissingError);
      expect((await read('p/10/c.txt')).toString()).toBe('kept');
    });

    it('fails when the content breaks off', async () => {
      const broken = Readable.from(
        (function* () {
          yield Buffer.from('half');
          throw new Error('the upload was cut');
        })(),
      );

      const storing = storage().put('a/broken.txt', broken, { bytes: 100, contentType: 'text/plain' });

      await expect(storing).rejects.toThrow(StorageError);
    });

    it('fails when the content has broken off before it is read', async () => {
      const broken = new Readable({ read: () => undefined });
      broken.destroy(new Error('the file is gone'));

      const storing = storage().put('a/gone.txt', broken, { bytes: 100, contentType: 'text/plain' });

      await expect(storing).rejects.toThrow(StorageError);
    });

    it.each(['../outside', 'a/../../outside', '/absolute', 'a//b', 'a/./b', 'nul\0', 'c:\\a', '', 'a/'])(
      'takes no key %j, which could leave its place',
      async (key) => {
        await expect(put(key, Buffer.from('x'))).rejects.toThrow(TypeError);
        await expect(storage().get(key)).rejects.toThrow(TypeError);
        await expect(storage().delete(key)).rejects.toThrow(TypeError);
      },
    );

    it.each(['', '/', 'a', '../', 'a/../'])(
      'takes no prefix %j, which could delete too much',
      async (prefix) => {
        await expect(storage().deletePrefix(prefix)).rejects.toThrow(TypeError);
      },
    );
  });
}
