import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, answerJson, LocalServer } from '#test/support/http-server.js';
import { isForbiddenAddress } from '#src/common/egress/forbidden-address.js';
import { configFrom } from '#src/config/config-from.js';
import { parseEnvironment } from '#src/config/environment.js';
import { S3FileStorage } from '../s3-file-storage.js';

const EXPIRATION = new Date(Date.now() + 3_600_000).toISOString();
const ROLE = 'arn:aws:iam::123456789012:role/prosa';

/** As the services of containers and machines answer. */
const rotated = (number: number) => ({
  Code: 'Success',
  AccessKeyId: `ASIA${number}`,
  SecretAccessKey: 'secret/+=',
  Token: `session-${number}`,
  Expiration: EXPIRATION,
});

describe('a bucket without keys', () => {
  let folder: string;
  let tokenFile: string;
  let bucket: LocalServer;
  let service: LocalServer;
  let storage: S3FileStorage | null = null;
  /** Session tokens that the bucket takes; null: all. */
  let valid: Set<string> | null;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-role-'));
    tokenFile = join(folder, 'token');
    await writeFile(tokenFile, 'token-of-pod\n');
    valid = null;
    bucket = await LocalServer.start(({ headers }, response) => {
      const isValid = valid?.has(String(headers['x-amz-security-token'])) ?? true;
      if (isValid) response.end('<ListBucketResult></ListBucketResult>');
      else response.writeHead(403).end('<Error><Code>ExpiredToken</Code></Error>');
    });
  });
  afterEach(async () => {
    await storage?.onApplicationShutdown();
    await bucket.stop();
    await service.stop();
    await rm(folder, { recursive: true });
  });

  async function serve(answer: Answer): Promise<void> {
    service = await LocalServer.start(answer);
  }

  function use(environment: Record<string, string>): S3FileStorage {
    const { s3 } = configFrom(
      parseEnvironment({ S3_ENDPOINT: bucket.url, S3_BUCKET: 'prosa', ...environment }),
    ).storage;
    if (!s3) throw new Error('no bucket is configured');
    storage = new S3FileStorage(s3);
    return storage;
  }

  /** What requests to the bucket were signed with. */
  const signedWith = () =>
    bucket.requests.map(({ headers }) => [
      /Credential=(\w+)\//.exec(String(headers.authorization))?.[1],
      headers['x-amz-security-token'],
    ]);

  it('signs with the role of a web identity, whose token is read anew', async () => {
    let number = 0;
    await serve((_, response) => {
      const { AccessKeyId, SecretAccessKey, Token, Expiration } = rotated(++number);
      response.end(`<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>
        <SessionToken>${Token}</SessionToken><SecretAccessKey>${SecretAccessKey}</SecretAccessKey>
        <Expiration>${Expiration}</Expiration><AccessKeyId>${AccessKeyId}</AccessKeyId>
        </Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`);
    });
    const files = use({
      AWS_ROLE_ARN: ROLE,
      AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
      AWS_ENDPOINT_URL_STS: service.url,
    });
    await Promise.all([files.check(), files.check()]);
    expect(signedWith()).toEqual([
      ['ASIA1', 'session-1'],
      ['ASIA1', 'session-1'],
    ]);
    expect(Object.fromEntries(new URLSearchParams(service.requests[0]?.body))).toEqual({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: ROLE,
      RoleSessionName: 'prosa',
      WebIdentityToken: 'token-of-pod',
    });

    // The role was revoked, and the cluster has replaced the token.
    await writeFile(tokenFile, 'next-token');
    valid = new Set(['session-2']);
    await expect(files.check()).rejects.toThrow('answered 403');
    await files.check();
    expect(signedWith().at(-1)).toEqual(['ASIA2', 'session-2']);
    expect(service.requests.map(({ body }) => new URLSearchParams(body).get('WebIdentityToken'))).toEqual([
      'token-of-pod',
      'next-token',
    ]);
  });

  it('signs with the role of a pod, and shows its token to that address alone', async () => {
    await serve((_, response) => answerJson(response, rotated(1)));
    const files = use({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${service.url}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile,
    });
    await files.check();
    expect(signedWith()).toEqual([['ASIA1', 'session-1']]);
    expect(service.requests).toMatchObject([
      { path: '/v1/credentials', headers: { authorization: 'token-of-pod' } },
    ]);
  });

  it('signs with the role of the machine, by version 2 of its service alone', async () => {
    await serve(({ method, path, headers }, response) => {
      if (method === 'PUT') return void response.end('session-of-metadata');
      if (headers['x-aws-ec2-metadata-token'] !== 'session-of-metadata')
        return void response.writeHead(401).end();
      if (path.endsWith('/security-credentials/')) return void response.end('prosa-role\n');
      answerJson(response, path.endsWith('/security-credentials/prosa-role') ? rotated(1) : {});
    });
    await use({ AWS_EC2_METADATA_SERVICE_ENDPOINT: service.url }).check();
    expect(signedWith()).toEqual([['ASIA1', 'session-1']]);
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'PUT /latest/api/token',
      'GET /latest/meta-data/iam/security-credentials/',
      'GET /latest/meta-data/iam/security-credentials/prosa-role',
    ]);
  });

  it.each([
    ['a refusal', (response: Parameters<Answer>[1]) => response.writeHead(403).end('secret words')],
    ['an answer without credentials', (response: Parameters<Answer>[1]) => response.end('{"Code":"Failed"}')],
    [
      'a redirect',
      (response: Parameters<Answer>[1]) => response.writeHead(302, { location: 'http://127.0.0.1:1' }).end(),
    ],
  ])('fails with a StorageError for %s, and sends the bucket nothing', async (_, answer) => {
    await serve((_request, response) => void answer(response));
    const checking = use({ AWS_CONTAINER_CREDENTIALS_FULL_URI: service.url }).check();
    await expect(checking).rejects.toMatchObject({
      name: 'StorageError',
      cause: { message: expect.stringMatching(/gave no credentials .*set S3_ACCESS_KEY_ID/) },
    });
    expect(bucket.requests).toEqual([]);
  });

  it('uses keys where they are set, and asks no service', async () => {
    await serve((_, response) => answerJson(response, rotated(1)));
    await use({
      S3_ACCESS_KEY_ID: 'AKIA1',
      S3_SECRET_ACCESS_KEY: 'secret',
      AWS_CONTAINER_CREDENTIALS_FULL_URI: service.url,
    }).check();
    expect(signedWith()).toEqual([['AKIA1', undefined]]);
    expect(service.requests).toEqual([]);
  });
});

describe('addresses of services with credentials', () => {
  it.each(['169.254.169.254', '169.254.170.2', '169.254.170.23', 'fd00:ec2::254', 'fd00:ec2::23'])(
    'include %s, which no URL of a user reaches',
    (address) => {
      expect(isForbiddenAddress(address, [])).toBe(true);
    },
  );
});
