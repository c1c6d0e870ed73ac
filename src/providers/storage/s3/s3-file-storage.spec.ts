import { createHash, createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import S3rver from 's3rver';
import { LocalServer, type ReceivedRequest } from '../../../../test/support/http-server.js';
import { StorageError } from '../file-storage.js';
import { describeFileStorageContract } from '../file-storage-contract.js';
import { S3FileStorage, type S3Options } from './s3-file-storage.js';

/** A server of the S3 protocol, written by others; these are its built-in credentials. It checks the key, not the signature. */
const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

let folder: string;
let server: S3rver;
let endpoint: string;
let storage: S3FileStorage;

function storageWith(overrides: Partial<S3Options>) {
  return new S3FileStorage({ endpoint, region: 'us-east-1', bucket: 'prosa', ...CREDENTIALS, ...overrides });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prosa-s3-'));
  server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'prosa', configs: [] }],
  });
  const { port } = await server.run();
  endpoint = `http://127.0.0.1:${port}/`;
  storage = storageWith({});
});

afterAll(async () => {
  await storage.onApplicationShutdown();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describeFileStorageContract('S3FileStorage', () => storage);

describe('a request to a bucket', () => {
  it('carries a signature that holds when it is worked out anew', async () => {
    const verdicts: string[] = [];
    const verifier = await LocalServer.start((request, response) => {
      verdicts.push(signatureOf(request) === givenSignature(request) ? 'valid' : 'invalid');
      response.writeHead(200).end('<ListBucketResult></ListBucketResult>');
    });
    const other = storageWith({ endpoint: verifier.url, secretAccessKey: SECRET });

    await other.put('a/b_c-d.txt', Readable.from([Buffer.from('x')]), {
      bytes: 1,
      contentType: 'text/plain',
    });
    await other.get('a/b.txt').then((stream) => stream.resume());
    await other.delete('a/b.txt');
    await other.deletePrefix('a/b/');
    await other.onApplicationShutdown();
    await verifier.stop();

    expect(verdicts).toEqual(['valid', 'valid', 'valid', 'valid']);
  });

  it.each([
    ['an unknown key', () => ({ accessKeyId: 'nobody' })],
    ['a bucket that is not there', () => ({ bucket: 'other' })],
    ['a service that is not there', () => ({ endpoint: 'http://127.0.0.1:1' })],
  ])('fails with a StorageError for %s', async (_, overrides) => {
    const other = storageWith(overrides());
    const content = Readable.from([Buffer.from('x')]);

    const storing = other.put('a.txt', content, { bytes: 1, contentType: 'text/plain' });

    await expect(storing).rejects.toThrow(StorageError);
    await other.onApplicationShutdown();
  });
});

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';

function givenSignature({ headers }: ReceivedRequest): string | undefined {
  return /Signature=([0-9a-f]{64})/.exec(headers.authorization ?? '')?.[1];
}

/** Signature Version 4 as its specification has it; written apart from the library that signs. */
function signatureOf({ method, path, headers }: ReceivedRequest): string {
  const [, credential = '', signedHeaders = ''] =
    /Credential=([^,]+), SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? [];
  const [, ...scope] = credential.split('/');
  const [pathname = '', query = ''] = path.split('?');
  const canonicalRequest = [
    method,
    pathname,
    query.split('&').toSorted().join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signedHeaders,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const digest = createHash('sha256').update(canonicalRequest).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope.join('/'), digest].join('\n');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  return hmac(
    scope.reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${SECRET}`),
    toSign,
  ).toString('hex');
}
