import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SipCall } from '@prosa/sip';
import { SipOperator } from '@prosa/sip/testing';
import { SipTelephone } from '../../support/sip-telephone.js';
import { operatorTrunk } from '../../support/sip-voice-processes.js';
import { until } from '../../support/until.js';
import type { Client } from '../load/client.js';
import type { Testbed } from '../testbed/testbed.js';
import { callOut, type CallSource, customerNumber, recordedAssistant } from './call-source.js';

const SIP_PORT = 25_860;
const RTP_FROM = 26_000;
const RTP_PORTS = 198;

/** A line that the sandbox's ears know. */
const QUESTION = 'Qual é o horário de atendimento?';
const ANSWERED_MS = 60_000;
const SERVED_MS = 60_000;
/** Quieter than what a telephone takes for speech. */
const AMBIENT_VOLUME = 0.1;

/** What people do once they are on the line, by the last digits of their number. None of them is one of the operator's own. */
const MANNERS: Readonly<Record<string, (telephone: SipTelephone) => Promise<void>>> = {
  '11': async (telephone) => {
    for (let question = 0; question < 2; question++) {
      await telephone.heardSpeech();
      await telephone.say(QUESTION);
    }
    await telephone.heardSpeech();
  },
  // Leaves in the middle of a sentence.
  '05': async (telephone) => {
    await telephone.heardAgain();
    await sleep(1_500);
  },
  // Talks over the greeting.
  '07': async (telephone) => {
    await telephone.heardAgain();
    await sleep(1_000);
    await telephone.say(QUESTION);
    await telephone.heardSpeech();
  },
  '12': async (telephone) => {
    await telephone.heardSpeech();
    telephone.press('42#');
    await telephone.say(QUESTION);
    await telephone.heardSpeech();
  },
};
const ENDINGS = Object.keys(MANNERS);

/** A trunk, as the API answers it. */
interface Trunk {
  readonly id: number;
  readonly phone_number: string;
  readonly inbound_trunk_id: string | null;
}

/** People behind a SIP trunk: every second one calls, the others are called. */
export class Telephones implements CallSource {
  /** What the product is started with. */
  static readonly environment: Readonly<Record<string, string>> = {
    SIP_LISTEN: `127.0.0.1:${SIP_PORT}`,
    RTP_PORTS: `${RTP_FROM}-${RTP_FROM + RTP_PORTS}`,
    CALLING_HOURS: 'off',
    CARRIER_PRICE_PER_MINUTE: '0',
  };

  readonly broken: string[] = [];

  private constructor(
    private readonly client: Client,
    private readonly operator: SipOperator,
    private readonly number: string,
    private readonly assistant: number,
  ) {
    operator.agent.on('call', (call) => call.once('answered', () => void this.talk(call, call.to)));
  }

  static async open(client: Client, testbed: Testbed): Promise<Telephones> {
    const operator = await SipOperator.open(RTP_FROM + RTP_PORTS + 2);
    operator.connect(SIP_PORT);
    const called = await addTrunk(client, operatorTrunk('+551130000001', operator.port));
    const calling = await addTrunk(client, operatorTrunk('+551130000002', operator.port));
    const assistantOf = (type: string, trunk: Trunk) =>
      recordedAssistant(client, `${testbed.receiver.url}/calls`, {
        type,
        phone_number_id: trunk.id,
        ambient_sound_volume: AMBIENT_VOLUME,
      });
    const answers = await assistantOf('inbound', called);
    await client.must('PUT', `/api/user/assistant/${answers}`, { status: 'active' });
    return new Telephones(client, operator, called.phone_number, await assistantOf('outbound', calling));
  }

  begin(index: number): Promise<number> {
    const person = customerNumber(index, ENDINGS[Math.floor(index / 2) % ENDINGS.length] ?? '');
    return index % 2 === 0 ? this.callIn(person) : callOut(this.client, this.assistant, person);
  }

  async close(): Promise<void> {
    await this.operator.close();
  }

  private async callIn(person: string): Promise<number> {
    const call = this.operator.call(person, this.number);
    await once(call, 'answered', { signal: AbortSignal.timeout(ANSWERED_MS) });
    void this.talk(call, person);
    const path = `/api/user/calls?phone_number=${encodeURIComponent(person)}`;
    const { data } = await this.client.must<{ data: { id: number }[] }>('GET', path);
    const [row] = data;
    if (!row) throw new Error(`the call of ${person} was answered and is not listed`);
    return row.id;
  }

  /** Until one of both hangs up. */
  private async talk(call: SipCall, person: string): Promise<void> {
    const telephone = new SipTelephone(call);
    const ended = once(call, 'ended');
    try {
      await Promise.race([MANNERS[person.slice(-2)]?.(telephone), ended]);
    } catch (error) {
      this.broken.push(`${person}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      telephone.close();
      call.hangUp();
    }
  }
}

/** Returns once it is served. */
async function addTrunk(client: Client, trunk: Readonly<Record<string, unknown>>): Promise<Trunk> {
  const path = '/api/user/phone-numbers/sip-trunks';
  const { data } = await client.must<{ data: Trunk }>('POST', path, trunk);
  await until(async () => {
    const read = await client.must<{ data: Trunk }>('GET', `${path}/${data.id}`);
    return read.data.inbound_trunk_id !== null;
  }, SERVED_MS);
  return data;
}
