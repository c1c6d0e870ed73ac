import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { HttpAdapterHost } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import { until } from '#test/support/until.js';
import type { RateLimitsService } from '../../../common/limits/rate-limits.service.js';
import { UnprovenRequestsService } from '../../../common/limits/unproven-requests.service.js';
import type { Logger } from '../../../common/observability/logger.js';
import type { MetricsService } from '../../../common/observability/metrics.service.js';
import type { TelephonyConfig } from '../../../config/config.js';
import type { TwilioAccounts } from '../../../providers/telephony/twilio/twilio-accounts.js';
import type { VoiceClientService } from '../voice-client.service.js';
import type { VoiceProcessesService } from '../voice-processes.service.js';
import type { ActiveCallsService } from '../../active-calls/active-calls.service.js';
import { TwilioCallbacksService } from './twilio-callbacks.service.js';
import type { TwilioFallbackService } from './twilio-fallback.service.js';
import { TwilioProofsService } from './twilio-proofs.service.js';

const TOKEN = 'the token of the account';
const PUBLIC_URL = 'https://prosa.example';
const PATH = '/twilio/voice';
const SIGNATURE = createHmac('sha1', TOKEN).update(`${PUBLIC_URL}${PATH}CallSidCA1`).digest('base64');
const FORM = 'CallSid=CA1';

describe('TwilioCallbacksService', () => {
  let server: Server;
  let sent: ClientRequest[];
  let handedOn: number;

  beforeEach(async () => {
    sent = [];
    handedOn = 0;
    const app = new ExpressAdapter().getInstance<Express>();
    const config = { twilio: { publicUrl: PUBLIC_URL } } as TelephonyConfig;
    const unproven = new UnprovenRequestsService(
      { areOn: true } as RateLimitsService,
      { httpAdapter: { getInstance: () => app } } as unknown as HttpAdapterHost,
    );
    const accounts = { signingTokensOf: async () => [TOKEN] } as unknown as TwilioAccounts;
    const callbacks = new TwilioCallbacksService(
      new TwilioProofsService(accounts, config, unproven),
      {} as TwilioFallbackService,
      {} as ActiveCallsService,
      { findServing: async () => ({ id: 'a', address: 'b' }) } as unknown as VoiceProcessesService,
      // No voice process takes the call.
      { handOn: () => (handedOn++, new Promise(() => undefined)) } as unknown as VoiceClientService,
      config,
      { warn: () => undefined } as unknown as Logger,
      { counter: () => () => undefined } as unknown as MetricsService,
    );
    app.use(callbacks.middleware);
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    for (const each of sent) each.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  /** A request whose headers have arrived, and of its body what is given. */
  async function send(signature: string, body: string, localAddress = '127.0.0.1'): Promise<ClientRequest> {
    const asked = ask({
      port: (server.address() as AddressInfo).port,
      host: '127.0.0.1',
      localAddress,
      method: 'POST',
      path: PATH,
      agent: false,
      headers: { 'x-twilio-signature': signature, 'content-length': FORM.length },
    });
    asked.on('error', () => undefined);
    sent.push(asked);
    const arrived = once(server, 'request');
    asked.flushHeaders();
    if (body !== '') asked.write(body);
    await arrived;
    return asked;
  }

  const statusOf = async (asked: ClientRequest) =>
    ((await once(asked, 'response')) as [IncomingMessage])[0].statusCode;

  it('accepts few unproven requests of one address, and leaves room for other addresses', async () => {
    for (let i = 0; i < 50; i++) await send('c2lnbmF0dXJl', '');

    expect(await statusOf(await send(SIGNATURE, FORM))).toBe(503);
    expect(await statusOf(await send('c2lnbmF0dXJl', FORM, '127.0.0.2'))).toBe(403);
  });

  it('accepts more requests of one address with Twilio’s signature, which may wait for a voice process', async () => {
    for (let i = 0; i < 60; i++) await send(SIGNATURE, FORM);
    await send('c2lnbmF0dXJl', '');

    expect(await statusOf(await send('c2lnbmF0dXJl', FORM))).toBe(403);
    await until(() => handedOn === 60);
  });
});
