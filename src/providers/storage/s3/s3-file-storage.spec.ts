import { createHash, createHmac } from 'node:crypto';
import { createServer, request as forward, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import S3rver from 's3rver';
import { StorageError } from '../file-storage.js';
import { describeFileStorageConformance } from '#test/conformance/file-storage.conformance.js';
import { S3FileStorage, type S3Options } from './s3-file-storage.js';

/**
 * A server of the S3 protocol, written by others; these are its built-in credentials. What comes to it is checked
 * before, because it leaves signatures in headers unchecked.
 */
const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const NO_ROLE = { webIdentity: undefined, container: undefined, metadataEndpoint: 'http://127.0.0.1:1' };
const MAX_CLOCK_SKEW_MS = 15 * 60_000;

let folder: string;
let server: S3rver;
let front: Server;
let endpoint: string;
let storage: S3FileStorage;

function storageWith(overrides: Partial<S3Options>) {
  return new S3FileStorage({
    endpoint,
    region: 'us-east-1',
    bucket: 'prosa',
    keys: CREDENTIALS,
    role: NO_ROLE,
    ...overrides,
  });
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
  front = await startFront(port);
  endpoint = `http://127.0.0.1:${(front.address() as AddressInfo).port}/`;
  storage = storageWith({});
});

afterAll(async () => {
  await storage.onApplicationShutdown();
  front.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describeFileStorageConformance('S3FileStorage', () => storage);

describe('a request to a bucket', () => {
  it.each([
    ['an unknown key', () => ({ keys: { ...CREDENTIALS, accessKeyId: 'unknown' } })],
    ['a wrong secret', () => ({ keys: { ...CREDENTIALS, secretAccessKey: 'guessed' } })],
    ['another region', () => ({ region: 'eu-west-1' })],
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

/** Refuses with 403, as the service itself does, what is not signed rightly, and passes the rest on. */
async function startFront(port: number): Promise<Server> {
  const checking = createServer((incoming, response) => {
    if (!isSigned(incoming)) {
      incoming.resume();
      response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
      return;
    }
    const { method, url, headers } = incoming;
    const onward = forward({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.on('error', () => onward.destroy());
    incoming.on('aborted', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => checking.listen(0, '127.0.0.1', resolve));
  return checking;
}

function isSigned({ method = '', url = '', headers }: IncomingMessage): boolean {
  const { authorization = '' } = headers;
  const [, credential = '', signedHeaders = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? [];
  const [keyId, ...scope] = credential.split('/');
  const date = String(headers['x-amz-date']);
  const [day] = date.split('T');
  const names = signedHeaders.split(';');
  const mustBeSigned = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  const skewMs = Math.abs(
    Date.now() - Date.parse(date.replace(/^(....)(..)(..T..)(..)(..)/, '$1-$2-$3:$4:$5')),
  );
  return (
    keyId === CREDENTIALS.accessKeyId &&
    scope.join('/') === `${day}/us-east-1/s3/aws4_request` &&
    mustBeSigned.every((name) => names.includes(name)) &&
    skewMs < MAX_CLOCK_SKEW_MS &&
    signature === signatureOf({ method, url, headers, scope, names })
  );
}

/** Signature Version 4 as its specification has it; written apart from the library that signs. */
function signatureOf({
  method,
  url,
  headers,
  scope,
  names,
}: {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly scope: readonly string[];
  readonly names: readonly string[];
}): string {
  const [pathname = '', query = ''] = url.split('?');
  const canonicalRequest = [
    method,
    pathname,
    query.split('&').toSorted().join('&'),
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n');
  const digest = createHash('sha256').update(canonicalRequest).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope.join('/'), digest].join('\n');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${CREDENTIALS.secretAccessKey}`);
  return hmac(key, toSign).toString('hex');
}
