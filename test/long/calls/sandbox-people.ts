import type { Client } from '../load/client.js';
import type { Testbed } from '../testbed/testbed.js';
import { callOut, type CallSource, customerNumber, recordedAssistant } from './call-source.js';

/** Talkers, one who hangs up, a voicemail, one who talks over us, a cough, a street, keys. */
const ENDINGS = ['11', '05', '03', '07', '12', '08', '09', '13', '10'] as const;

/** The people of the sandbox, who are called. */
export class SandboxPeople implements CallSource {
  readonly broken = [];

  private constructor(
    private readonly client: Client,
    private readonly assistant: number,
  ) {}

  static async open(client: Client, testbed: Testbed): Promise<SandboxPeople> {
    const settings = { type: 'outbound', ambient_sound_volume: 1 };
    return new SandboxPeople(
      client,
      await recordedAssistant(client, `${testbed.receiver.url}/calls`, settings),
    );
  }

  begin(index: number): Promise<number> {
    const person = customerNumber(index, ENDINGS[index % ENDINGS.length] ?? '');
    return callOut(this.client, this.assistant, person);
  }

  async close(): Promise<void> {
    // The carrier is a part of the product.
  }
}
