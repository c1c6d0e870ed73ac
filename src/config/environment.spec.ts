import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { makeCertificate } from '@prosa/testing';
import { configFrom } from './config-from.js';
import { EnvironmentError, environmentSchema, parseEnvironment } from './environment.js';

const KEY = Buffer.alloc(32, 1).toString('base64');

function exampleVariables(): Map<string, string> {
  const lines = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8').split('\n');
  const pairs = lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(/=(.*)/s));
  return new Map(pairs.map(([name = '', value = '']) => [name, value]));
}

describe('environment', () => {
  it('is complete when empty', () => {
    const config = configFrom(parseEnvironment({}));
    expect([...config.server.roles]).toEqual(['api', 'worker', 'voice']);
    expect(config.database.url).toBeUndefined();
    expect(config.limits.enabled).toBe(true);
  });

  it('reads exactly the variables of .env.example', () => {
    expect([...exampleVariables().keys()].sort()).toEqual(Object.keys(environmentSchema.shape).sort());
  });

  it('has the defaults that .env.example documents', () => {
    const example = Object.fromEntries(exampleVariables());
    expect(parseEnvironment(example)).toEqual(parseEnvironment({}));
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', 'abc'],
    ['PROSA_ROLES', 'api,kitchen'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['REDIS_URL', 'localhost:6379'],
    ['OPENAI_BASE_URL', 'not a url'],
    ['EGRESS_ALLOW_CIDRS', '10.0.0.0'],
    ['ENCRYPTION_KEY', 'short'],
    ['BOOTSTRAP_EMAIL', 'no-address'],
    ['BOOTSTRAP_BALANCE', '-1'],
    ['RATE_LIMITS', 'maybe'],
    ['SANDBOX_SPEED', '0'],
    ['SANDBOX_CARRIER_URL', 'localhost:4100'],
    ['SANDBOX_MEDIA', 'video'],
    ['TRANSFER_COUNTRIES', 'BR,Brazil'],
    ['TRANSFER_COUNTRIES', 'XX'],
    ['LOG_LEVEL', 'loud'],
  ])('names %s when it is %s', (name, value) => {
    const start = () => parseEnvironment({ [name]: value });
    expect(start).toThrow(EnvironmentError);
    expect(start).toThrow(name);
  });

  it('names every wrong variable at once', () => {
    expect(() => parseEnvironment({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT[^]*LOG_LEVEL/);
  });

  it('wants a key for secrets with a database of the operator', () => {
    expect(() => parseEnvironment({ DATABASE_URL: 'postgres://h/d' })).toThrow(/ENCRYPTION_KEY/);
    expect(parseEnvironment({ DATABASE_URL: 'postgres://h/d', ENCRYPTION_KEY: KEY }).ENCRYPTION_KEY).toEqual([
      KEY,
    ]);
  });

  it.each(['api', 'worker', 'voice', 'api,voice', 'worker,voice'])(
    'wants a database of the operator where the roles are %s',
    (roles) => {
      expect(() => parseEnvironment({ PROSA_ROLES: roles })).toThrow(/DATABASE_URL: is needed/);
      const environment = { PROSA_ROLES: roles, DATABASE_URL: 'postgres://h/d', ENCRYPTION_KEY: KEY };
      expect(parseEnvironment(environment).PROSA_ROLES).toEqual(roles.split(','));
    },
  );

  it('wants real time and calls of its own where the sandbox speaks in sound', () => {
    const inSound = { SANDBOX_MEDIA: 'audio' };
    expect(() => parseEnvironment({ ...inSound, SANDBOX_SPEED: '10' })).toThrow(/SANDBOX_MEDIA/);
    expect(() => parseEnvironment({ ...inSound, SANDBOX_CARRIER_URL: 'http://h:1' })).toThrow(
      /SANDBOX_MEDIA/,
    );
    expect(parseEnvironment(inSound).SANDBOX_MEDIA).toBe('audio');
  });

  it('wants ports for calls of other processes that nothing else has', () => {
    const sip = { SIP_LISTEN: '127.0.0.1:5060', RTP_PORTS: '40000-40999' };
    for (const [ports, name] of [
      ['5058-5065', 'SIP_LISTEN'],
      ['5061-5068', 'SIP_TLS_PORT'],
      ['39990-40000', 'RTP_PORTS'],
    ]) {
      expect(() => parseEnvironment({ ...sip, SIP_PROCESS_PORTS: ports })).toThrow(
        `SIP_PROCESS_PORTS: has ports of ${name}`,
      );
    }
    expect(parseEnvironment({ ...sip, SIP_PROCESS_PORTS: '5070-5085' }).SIP_PROCESS_PORTS).toEqual({
      from: 5_070,
      to: 5_085,
    });
  });

  it('wants the address of a proxy, and not a place to listen at', () => {
    expect(parseEnvironment({ SIP_PROXY: '10.0.0.5:5060' }).SIP_PROXY).toEqual({
      host: '10.0.0.5',
      port: 5_060,
    });
    for (const wrong of ['0.0.0.0:5060', '10.0.0.5:0', 'proxy.example:5060', '10.0.0.5'])
      expect(() => parseEnvironment({ SIP_PROXY: wrong })).toThrow(/SIP_PROXY/);
  });

  it('takes an empty value as not set', () => {
    expect(parseEnvironment({ DATABASE_URL: '', PORT: ' ', OPENAI_API_KEY: '' })).toEqual(
      parseEnvironment({}),
    );
  });

  describe('with SIP over TLS', () => {
    const { key, cert } = makeCertificate();
    const tlsOf = (variables: Record<string, string>) =>
      configFrom(parseEnvironment({ SIP_LISTEN: '127.0.0.1:5060', ...variables })).telephony.sip?.tls;

    it('takes PEM as text, as text of one line, and as the path of a file', () => {
      const folder = mkdtempSync(join(tmpdir(), 'prosa-pem-'));
      const path = join(folder, 'key.pem');
      writeFileSync(path, key);
      const tls = tlsOf({ SIP_TLS_KEY: path, SIP_TLS_CERT: cert.replaceAll('\n', '\\n'), SIP_TLS_CA: cert });
      rmSync(folder, { recursive: true });
      expect(tls).toMatchObject({ port: 5061, key, cert });
      expect(tls?.ca).toContain(cert);
      expect(tls?.ca).toContain(rootCertificates[0]);
    });

    it('reads files again when asked', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'prosa-pem-'));
      const [keyPath, certPath] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
      writeFileSync(keyPath, key);
      writeFileSync(certPath, cert);
      const tls = tlsOf({ SIP_TLS_KEY: keyPath, SIP_TLS_CERT: certPath });
      expect(await tls?.reread()).toEqual({ key, cert, ca: undefined });
      const renewed = makeCertificate();
      writeFileSync(keyPath, renewed.key);
      writeFileSync(certPath, renewed.cert);
      expect(await tls?.reread()).toEqual({ key: renewed.key, cert: renewed.cert, ca: undefined });
      rmSync(folder, { recursive: true });
      await expect(tls?.reread()).rejects.toThrow(/ENOENT/);
      expect(await tlsOf({ SIP_TLS_KEY: key, SIP_TLS_CERT: cert })?.reread()).toMatchObject({ key, cert });
    });

    it('refuses a file that is not there, a certificate without its key, and one of another key', () => {
      expect(() => tlsOf({ SIP_TLS_KEY: '/nowhere/key.pem', SIP_TLS_CERT: cert })).toThrow(
        /SIP_TLS_KEY: must be PEM/,
      );
      expect(() => tlsOf({ SIP_TLS_CERT: cert })).toThrow(/SIP_TLS_KEY: is needed too/);
      expect(() => tlsOf({ SIP_TLS_KEY: makeCertificate().key, SIP_TLS_CERT: cert })).toThrow(
        /SIP_TLS_KEY: cannot be used with SIP_TLS_CERT/,
      );
    });
  });

  it('takes a LiveKit server with its key, at whichever scheme, and refuses either alone', () => {
    const of = (variables: Record<string, string>) =>
      configFrom(parseEnvironment(variables)).telephony.livekit;
    const key = { LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: 'secret' };
    expect(of({})).toBeUndefined();
    expect(of({ LIVEKIT_URL: 'https://livekit.example/', ...key })).toEqual({
      url: 'wss://livekit.example',
      apiKey: 'key',
      apiSecret: 'secret',
    });
    expect(() => of({ LIVEKIT_URL: 'ws://livekit.example' })).toThrow(/LIVEKIT_API_KEY: is needed too/);
    expect(() => of(key)).toThrow(/LIVEKIT_URL: is needed too/);
    expect(() => of({ LIVEKIT_URL: 'livekit.example', ...key })).toThrow(/LIVEKIT_URL: must be a URL/);
  });

  it('has trunks placed by a LiveKit server where that is chosen, and refuses to without one', () => {
    const of = (variables: Record<string, string>) =>
      configFrom(parseEnvironment(variables)).telephony.livekitSip;
    const server = {
      LIVEKIT_URL: 'wss://livekit.example',
      LIVEKIT_API_KEY: 'key',
      LIVEKIT_API_SECRET: 'secret',
    };
    expect(of(server)).toBeUndefined();
    const paces = { SIP_CALLS_PER_SECOND: '2', SIP_TRUNK_CALLS_PER_SECOND: '1' };
    expect(of({ ...server, ...paces, SIP_CARRIER: 'livekit' })).toEqual({
      callsPerSecond: 2,
      trunkCallsPerSecond: 1,
    });
    expect(() => of({ SIP_CARRIER: 'livekit' })).toThrow(/LIVEKIT_URL: is needed too/);
  });

  it('takes an account of Twilio with its token, and refuses either alone and what is no account', () => {
    const sid = `AC${'0'.repeat(32)}`;
    const of = (variables: Record<string, string>) =>
      configFrom(parseEnvironment(variables)).telephony.twilio;

    expect(of({})).toBeUndefined();
    const whole = { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: 'token' };
    expect(of({ ...whole, PUBLIC_URL: 'https://prosa.example/' })).toEqual({
      publicUrl: 'https://prosa.example',
      machineDetection: false,
      account: { accountSid: sid, authToken: 'token' },
    });
    // Accounts may bring credentials of their own.
    expect(of({ PUBLIC_URL: 'https://prosa.example' })).toMatchObject({ account: null });
    expect(of({ PUBLIC_URL: 'http://prosa.example' })).toBeUndefined();
    for (const url of [undefined, 'http://prosa.example', 'https://prosa.example/?to=here']) {
      expect(() => of({ ...whole, ...(url && { PUBLIC_URL: url }) })).toThrow(
        /PUBLIC_URL: is needed with TWILIO_ACCOUNT_SID and must begin with https/,
      );
    }
    expect(of({ ...whole, PUBLIC_URL: 'http://127.0.0.1:8080' })?.publicUrl).toBe('http://127.0.0.1:8080');
    expect(() => of({ TWILIO_ACCOUNT_SID: sid })).toThrow(/TWILIO_AUTH_TOKEN: is needed too/);
    expect(() => of({ TWILIO_AUTH_TOKEN: 'token' })).toThrow(/TWILIO_ACCOUNT_SID: is needed too/);
    expect(() => of({ TWILIO_ACCOUNT_SID: 'SK1', TWILIO_AUTH_TOKEN: 'token' })).toThrow(
      /TWILIO_ACCOUNT_SID: must be AC/,
    );
  });

  it('turns dollars into micro-dollars', () => {
    expect(configFrom(parseEnvironment({ DAILY_SPEND_CAP: '2.5' })).limits.dailySpendCapMicros).toBe(
      2_500_000,
    );
  });
});
