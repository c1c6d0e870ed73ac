import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signatureHeaders } from './webhook-signature.js';

const BODY = JSON.stringify({ id: 7, transcript: 'Olá! “Até logo” 👋', nested: { empty: {} } });

describe('webhook signature', () => {
  it('is accepted by the public Standard Webhooks library', () => {
    const secret = newWebhookSecret();
    const headers = signatureHeaders('msg_1', new Date(), BODY, [secret]);
    expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  });

  it('equals the example of the specification', () => {
    const headers = signatureHeaders(
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      new Date(1_614_265_330_000),
      '{"test": 2432232314}',
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    );
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('satisfies who knows the new secret and who still knows the old one', () => {
    const [current, previous] = [newWebhookSecret(), newWebhookSecret()];
    const headers = signatureHeaders('msg_1', new Date(), BODY, [current, previous]);
    for (const secret of [current, previous]) {
      expect(() => new Webhook(secret).verify(BODY, headers)).not.toThrow();
    }
    expect(() => new Webhook(newWebhookSecret()).verify(BODY, headers)).toThrow('No matching signature');
  });

  it('does not fit another body, another id or another time', () => {
    const secret = newWebhookSecret();
    const headers = signatureHeaders('msg_1', new Date(), BODY, [secret]);
    const verifier = new Webhook(secret);
    expect(() => verifier.verify(`${BODY} `, headers)).toThrow('No matching signature');
    expect(() => verifier.verify(BODY, { ...headers, 'webhook-id': 'msg_2' })).toThrow(
      'No matching signature',
    );
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(() => verifier.verify(BODY, { ...headers, 'webhook-timestamp': later })).toThrow(
      'No matching signature',
    );
  });

  it('has secrets of 32 random bytes', () => {
    const secrets = Array.from({ length: 100 }, newWebhookSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
  });
});
