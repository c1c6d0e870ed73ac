import type { Client } from '../load/client.js';
import type { Stand } from '../stand/stand.js';
import { type CallSource, customerNumber, recordedAssistant } from './call-source.js';

/** Talkers, one who hangs up, a voicemail, one who talks over us, a cough, a street, keys. */
const ENDINGS = ['11', '05', '03', '07', '12', '08', '09', '13', '10'] as const;

/** The people of the sandbox, who are called. */
export class SandboxPeople implements CallSource {
  readonly broken = [];

  private constructor(
    private readonly client: Client,
    private readonly assistant: number,
  ) {}

  static async open(client: Client, stand: Stand): Promise<SandboxPeople> {
    const settings = { type: 'outbound', ambient_sound_volume: 1 };
    return new SandboxPeople(
      client,
      await recordedAssistant(client, `${stand.receiver.url}/calls`, settings),
    );
  }

  async begin(index: number): Promise<number> {
    const { call_id: id } = await this.client.must<{ call_id: number }>('POST', '/api/user/make_call', {
      phone_number: customerNumber(index, ENDINGS[index % ENDINGS.length] ?? ''),
      assistant_id: this.assistant,
    });
    return id;
  }

  async close(): Promise<void> {
    // The carrier is a part of the product.
  }
}
