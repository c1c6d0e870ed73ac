import { setTimeout as sleep } from 'node:timers/promises';
import type { SipCall } from '@prosa/sip';
import { SipOperator } from '@prosa/sip/testing';
import { freePort } from '../../test/support/free-port.js';
import { operatorTrunk } from '../../test/support/sip-voice-processes.js';
import type { ProsaProcess } from '../support/prosa-process.js';

const RTP_FROM = 27_000;
const NUMBER = '+551130000001';
const CUSTOMER = '+5511987650000';
const SERVED_MS = 60_000;

/** What a Prosa needs in its environment to have a telephone line. */
export async function telephoneSettings(): Promise<{ SIP_LISTEN: string; RTP_PORTS: string }> {
  return { SIP_LISTEN: `127.0.0.1:${await freePort()}`, RTP_PORTS: `${RTP_FROM}-${RTP_FROM + 198}` };
}

/** Customers behind an operator who call a number of Prosa. */
export class Telephone {
  private constructor(private readonly operator: SipOperator) {}

  /** @param assistant answers the number */
  static async connect(prosa: ProsaProcess, sipPort: number, assistant: object): Promise<Telephone> {
    const operator = await SipOperator.open(RTP_FROM + 200);
    operator.connect(sipPort);
    const { data } = await prosa.post<{ data: { id: number } }>(
      '/api/user/phone-numbers/sip-trunks',
      operatorTrunk(NUMBER, operator.port),
    );
    await prosa.activate(await prosa.createAssistant({ ...assistant, phone_number_id: data.id }));
    return new Telephone(operator);
  }

  /** An answered call. The number may not be served yet when it is new. */
  async call(): Promise<SipCall> {
    const untilMs = performance.now() + SERVED_MS;
    for (;;) {
      const call = this.operator.call(CUSTOMER, NUMBER);
      const isAnswered = await new Promise<boolean>((resolve) => {
        call.once('answered', () => resolve(true));
        call.once('ended', () => resolve(false));
      });
      if (isAnswered) return call;
      if (performance.now() > untilMs) throw new Error('the number does not answer');
      await sleep(500);
    }
  }

  close(): Promise<void> {
    return this.operator.close();
  }
}
