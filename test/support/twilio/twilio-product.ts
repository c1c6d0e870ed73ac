import { createServer, connect as dial, type Server } from 'node:net';
import { jest } from '@jest/globals';
import { EgressClient } from '../../../src/common/egress/egress-client.js';
import { TwilioCallCarrier } from '../../../src/providers/telephony/twilio/calls/twilio-call-carrier.js';
import type { TwilioCalls } from '../../../src/providers/telephony/twilio/calls/twilio-calls.js';
import { TestApp } from '../app.js';
import { freePort } from '../free-port.js';
import { FakeTwilio } from './fake-twilio.js';

type Offers = Parameters<typeof FakeTwilio.start>[0];

/** The product with Twilio as its carrier, reached at a public address. */
export class TwilioProduct {
  private constructor(
    readonly app: TestApp,
    readonly twilio: FakeTwilio,
    readonly publicUrl: string,
    private readonly forwarder: Server,
  ) {}

  static async open(offers: Offers, env: Record<string, string> = {}): Promise<TwilioProduct> {
    const twilio = await FakeTwilio.start(offers);
    const publicPort = await freePort();
    const publicUrl = `http://127.0.0.1:${publicPort}`;
    const app = await TestApp.start({
      PROSA_ROLES: 'api,worker,voice',
      CALLING_HOURS: 'off',
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      PUBLIC_URL: publicUrl,
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      ...env,
    });
    const egress = app.app.get(EgressClient);
    const request = egress.request.bind(egress);
    jest
      .spyOn(egress, 'request')
      .mockImplementation((asked) =>
        request({ ...asked, url: asked.url.replace(/^https:\/\/(api|pricing)\.twilio\.com/, twilio.url) }),
      );
    const { port } = new URL(app.origin);
    const forwarder = createServer((near) => {
      const far = dial(Number(port), '127.0.0.1');
      near.pipe(far).pipe(near);
      near.on('error', () => far.destroy());
      far.on('error', () => near.destroy());
    }).listen(publicPort, '127.0.0.1');
    return new TwilioProduct(app, twilio, publicUrl, forwarder);
  }

  /** A person calls a number. @returns the id of the call at Twilio */
  callIn(from: string, to: string): string {
    return this.twilio.calls.callIn(from, to, `${this.publicUrl}/twilio/voice`);
  }

  /** Drops all that the process knows of a call, as if another one had taken it. */
  forget(sid: string): void {
    const carrier: object = this.app.app.get(TwilioCallCarrier, { strict: false });
    const { calls } = carrier as { readonly calls: TwilioCalls };
    calls.forget(calls.get(sid));
  }

  async close(): Promise<void> {
    await this.app.stop();
    await this.twilio.stop();
    this.forwarder.close();
    jest.restoreAllMocks();
  }
}
