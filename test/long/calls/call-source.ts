import type { Client } from '../load/client.js';

/** Where the calls of the lanes come from, and who is at their far end. */
export interface CallSource {
  /** What they did not hear, or could not do. */
  readonly broken: readonly string[];
  /** Begins a call, and returns its id. @param index of all calls, from 0 */
  begin(index: number): Promise<number>;
  close(): Promise<void>;
}

/** One that records, with a sound behind its words for as long as the line is open, so that each gap shows. */
export async function recordedAssistant(
  client: Client,
  webhookUrl: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<number> {
  const { data } = await client.must<{ data: { id: number } }>('POST', '/api/user/assistant', {
    name: 'Pão',
    voice_id: 1,
    language_id: 1,
    llm_model_id: 1,
    mode: 'pipeline',
    timezone: 'UTC',
    system_prompt: 'Você é breve.',
    initial_message: 'Olá! Aqui é a Padaria Central. Posso falar um minuto sobre a sua assinatura de pães?',
    voice_mail_message: 'Aqui é a Padaria Central. Ligue de volta, por favor.',
    record: true,
    ambient_sound: 'forest',
    is_webhook_active: true,
    webhook_url: webhookUrl,
    ...settings,
  });
  return data.id;
}

/** @returns the id of the call */
export async function callOut(client: Client, assistant: number, to: string): Promise<number> {
  const { call_id: id } = await client.must<{ call_id: number }>('POST', '/api/user/make_call', {
    phone_number: to,
    assistant_id: assistant,
  });
  return id;
}

/** A number that no other call of the run has. @param ending of two digits, which says who is there */
export function customerNumber(index: number, ending: string): string {
  return `+55119${String(index).padStart(6, '0')}${ending}`;
}
