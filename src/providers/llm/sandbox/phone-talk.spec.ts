import { describe, expect, it } from '@jest/globals';
import { collectTurn } from '#test/conformance/chat-model.conformance.js';
import type { ChatMessage } from '../chat-model.js';
import { SandboxChatModel } from './sandbox-chat-model.js';

const PROMPT = `Você liga para clientes da Padaria Central e oferece a renovação da assinatura.
A sua assinatura termina no fim deste mês.
A renovação custa 49 reais por mês.`;

/** The two sides of a call of the sandbox, whose customer follows a script. */
describe('the sandbox model on the phone', () => {
  async function talk(lines: readonly string[]): Promise<string[]> {
    const model = new SandboxChatModel();
    const greeting = 'Olá, Ana! Aqui é a Padaria Central. Posso falar um minuto?';
    const messages: ChatMessage[] = [
      { role: 'system', content: PROMPT },
      { role: 'assistant', content: greeting },
    ];
    const said: string[] = [];
    for (const content of lines) {
      messages.push({ role: 'user', content });
      const { text } = await collectTurn(model, { model: 'sandbox', messages, tools: [] });
      messages.push({ role: 'assistant', content: text });
      said.push(text);
    }
    return said;
  }

  it('says what it is when the customer listens, and never reads its prompt aloud', async () => {
    const said = await talk(['Oi, sou eu sim.', 'Pode falar, estou ouvindo.', 'Certo, obrigado. Tchau!']);
    expect(said).toEqual([
      expect.stringMatching(/^Sou um modelo de demonstração: /),
      expect.stringMatching(/^Sou um modelo de demonstração: /),
      'Até logo! Obrigado pelo contato.',
    ]);
  });

  it('asks what it can do when it is greeted after its own greeting', async () => {
    expect(await talk(['Bom dia'])).toEqual(['Em que posso ajudar?']);
  });
});
