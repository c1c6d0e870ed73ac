import type { Readable } from 'node:stream';
import type { OnApplicationShutdown } from '@nestjs/common';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher } from 'undici';
import type { S3RoleConfig } from '../../../config/config.js';
import {
  assertKey,
  assertPrefix,
  type ByteRange,
  FileMissingError,
  FileStorage,
  type PutOptions,
  seenByReader,
  StorageError,
} from '../file-storage.js';
import { type Credentials, roleCredentials, staticCredentials } from './credentials/credentials-of.js';
import { listedKeys } from './list-answer.js';

export interface S3Options {
  /** Of the service, without the bucket, e.g. `https://s3.eu-west-1.amazonaws.com` or `http://minio:9000`. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Undefined means: those of the role. */
  readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  readonly role: S3RoleConfig;
}

const ANSWER_TIMEOUT_MS = 30_000;
/** Silence on a connection that is sending or receiving a file. */
const STALL_TIMEOUT_MS = 60_000;
const MAX_ERROR_BYTES = 2_000;
/** Codes for credentials that are no more valid, although their time is not over. */
const EXPIRED = /<Code>(ExpiredToken|InvalidToken|InvalidAccessKeyId)<\/Code>/;

interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable;
}

/**
 * A bucket of anything that speaks the S3 protocol, addressed by path. Requests are signed with Signature Version 4;
 * the content itself is left out of the signature, so that it can be streamed.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/Welcome.html
 */
export class S3FileStorage extends FileStorage implements OnApplicationShutdown {
  readonly name = 'S3-compatible bucket';
  // The address is the operator's own configuration, not a customer's, so it needs no egress check.
  private readonly agent = new Agent({ headersTimeout: ANSWER_TIMEOUT_MS, bodyTimeout: STALL_TIMEOUT_MS });

  private readonly credentials: Credentials;

  constructor(private readonly options: S3Options) {
    super();
    const { keys, role, region } = options;
    this.credentials = keys
      ? staticCredentials(keys.accessKeyId, keys.secretAccessKey)
      : roleCredentials(role, region);
  }

  async folderId(): Promise<null> {
    return null;
  }

  async check(): Promise<void> {
    await discard(await this.send({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1' } }));
  }

  async put(key: string, content: Readable, { bytes, contentType }: PutOptions): Promise<void> {
    content.on('error', seenByReader);
    assertKey(key);
    const headers = { 'content-length': String(bytes), 'content-type': contentType };
    await discard(await this.send({ method: 'PUT', key, headers, body: content }));
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    assertKey(key);
    if (!range) return (await this.send({ method: 'GET', key })).body;
    const headers = { range: `bytes=${range.start}-${range.end}` };
    const { statusCode, body } = await this.send({ method: 'GET', key, headers });
    if (statusCode === 206) return body;
    body.destroy();
    throw new StorageError('the storage service does not serve parts of files');
  }

  async delete(key: string): Promise<void> {
    assertKey(key);
    await discard(await this.send({ method: 'DELETE', key }));
  }

  async deletePrefix(prefix: string): Promise<void> {
    assertPrefix(prefix);
    for (let keys = await this.list(prefix); keys.length > 0; keys = await this.list(prefix)) {
      for (const key of keys) await this.delete(key);
    }
  }

  /** The service keeps nothing of a request that broke off. */
  deleteUnfinished(): Promise<number> {
    return Promise.resolve(0);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  /** The first keys that begin with the prefix; all of them are gone before the next look. */
  private async list(prefix: string): Promise<string[]> {
    const query = { 'list-type': '2', prefix, 'encoding-type': 'url' };
    const answer = await this.send({ method: 'GET', query });
    return listedKeys(await answer.body.text());
  }

  private async send(request: S3Request): Promise<Dispatcher.ResponseData> {
    const { method, key = '', body } = request;
    const answer = await this.exchange(request).catch((error: unknown) => {
      throw new StorageError('the storage service could not be reached', { cause: error });
    });
    if (answer.statusCode < 300) return answer;
    const detail = (await answer.body.text().catch(() => '')).slice(0, MAX_ERROR_BYTES);
    body?.destroy();
    if (answer.statusCode === 404 && key !== '') {
      if (method === 'DELETE') return answer;
      if (method === 'GET') throw new FileMissingError(key, { cause: detail });
    }
    if (EXPIRED.test(detail)) this.credentials.forget();
    throw new StorageError(`the storage service answered ${answer.statusCode}`, { cause: detail });
  }

  private async exchange({ method, key = '', query, headers, body }: S3Request) {
    const { endpoint, region, bucket } = this.options;
    const { accessKeyId, secretAccessKey, sessionToken } = await this.credentials.get();
    const url = new URL(`${endpoint.replace(/\/+$/, '')}/${bucket}/${key}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
      accessKeyId,
      secretAccessKey,
      sessionToken,
      region,
      service: 's3',
    });
    const signed = await signer.sign();
    return this.agent.request({
      origin: signed.url.origin,
      path: signed.url.pathname + signed.url.search,
      method,
      headers: { ...Object.fromEntries(signed.headers), ...headers },
      body: body ?? null,
    });
  }
}

async function discard({ body }: Dispatcher.ResponseData): Promise<void> {
  await body.dump();
}
