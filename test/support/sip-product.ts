import { SpeechProviderRegistry } from '../../src/providers/speech/speech-provider-registry.js';
import { SipCallCarrier } from '../../src/providers/telephony/sip/carrier/sip-call-carrier.js';
import { type TestAccount, TestApp } from './app.js';
import { createAssistant } from './builders.js';
import { SipOperator } from '@prosa/sip/testing';
import { operatorTrunk } from './sip-voice-processes.js';
import { until } from './until.js';

const FINAL = ['completed', 'busy', 'no-answer', 'failed'];
/** Ports of one side for sound. */
const RTP_PORTS = 198;

export interface CallBody {
  readonly id: number;
  readonly status: string;
  readonly type: string;
  readonly client_phone_number: string;
  readonly assistant_phone_number: string;
  readonly duration: number;
  readonly transcript: string;
  readonly answered_by: string;
  readonly total_cost: number;
  readonly turns: readonly { readonly role: string; readonly text: string }[];
}

/** The product with a telephone, an account, and an operator whose customers call and are called. */
export class SipProduct {
  private trunks = 0;

  private constructor(
    readonly app: TestApp,
    readonly operator: SipOperator,
    readonly carrier: SipCallCarrier,
    readonly account: TestAccount,
  ) {}

  /** @param rtpFrom the first of four hundred ports; the operator has the upper half */
  static async open(rtpFrom: number, env: Record<string, string> = {}): Promise<SipProduct> {
    const product = await SipProduct.openSpeechless(rtpFrom, env);
    await product.app.app.get(SpeechProviderRegistry, { strict: false }).sandbox.ready();
    return product;
  }

  /** The same, for tests in which no assistant speaks: the voice of the sandbox takes minutes on a busy machine. */
  static async openSpeechless(rtpFrom: number, env: Record<string, string> = {}): Promise<SipProduct> {
    const operator = await SipOperator.open(rtpFrom + 200);
    const app = await TestApp.start({
      PROSA_ROLES: 'api,worker,voice',
      SIP_LISTEN: '127.0.0.1:0',
      RTP_PORTS: `${rtpFrom}-${rtpFrom + RTP_PORTS}`,
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      CALLING_HOURS: 'off',
      CALL_PRICE_PER_MINUTE: '0.06',
      ...env,
    });
    const carrier = app.app.get(SipCallCarrier, { strict: false });
    await until(() => carrier.port !== 0);
    operator.connect(carrier.port);
    const account = await app.account({ balanceUsd: 50 });
    return new SipProduct(app, operator, carrier, account);
  }

  async close(): Promise<void> {
    await this.app.stop();
    await this.operator.close();
  }

  /** A number behind a trunk to the operator, once it is served. */
  async addTrunk(who = this.account, overrides: Record<string, unknown> = {}) {
    const { body } = await this.app
      .as(who)
      .post('/api/user/phone-numbers/sip-trunks')
      .send({
        ...operatorTrunk(`+5511300000${String(++this.trunks).padStart(2, '0')}`, this.operator.port),
        ...overrides,
      })
      .expect(201);
    const { id, phone_number: number } = body.data as { id: number; phone_number: string };
    await until(() => this.carrier.trunkStatus(id) !== null);
    return { id, number };
  }

  async addAssistant(phoneNumberId: number, overrides: Record<string, unknown> = {}) {
    const { app, account } = this;
    const assistant = await createAssistant(app, account, { phone_number_id: phoneNumberId, ...overrides });
    await app.as(account).put(`/api/user/assistant/${assistant.id}`).send({ status: 'active' }).expect(200);
    return assistant;
  }

  async makeCall(assistantId: number, to: string): Promise<number> {
    const { body } = await this.app
      .as(this.account)
      .post('/api/user/make_call')
      .send({ phone_number: to, assistant_id: assistantId })
      .expect(200);
    return body.call_id as number;
  }

  async read(callId: number): Promise<CallBody> {
    return (await this.app.as(this.account).get(`/api/user/calls/${callId}`).expect(200)).body as CallBody;
  }

  /** The call, once it is over. */
  async finished(callId: number): Promise<CallBody> {
    await until(async () => FINAL.includes((await this.read(callId)).status), 30_000);
    return this.read(callId);
  }

  async latestCallId(): Promise<number> {
    const { body } = await this.app.as(this.account).get('/api/user/calls').expect(200);
    return (body.data as CallBody[])[0]!.id;
  }
}
