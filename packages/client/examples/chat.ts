// Makes an assistant and talks to it in a free test conversation.
import { createAssistant, openTestConversation, sendMessage } from '../src/index.js';
import { connect } from './connect.js';

connect();
const assistant = await createAssistant({
  body: {
    name: 'Padaria',
    type: 'inbound',
    mode: 'pipeline',
    language_id: 1,
    voice_id: 1,
    llm_model_id: 1,
    timezone: 'America/Sao_Paulo',
    initial_message: 'Olá! Como posso ajudar?',
    system_prompt: 'Você atende os clientes da Padaria Central. A padaria abre às 6 horas.',
  },
  throwOnError: true,
});
const opened = await openTestConversation({
  body: { assistant_id: assistant.data.data.id },
  throwOnError: true,
});
const { conversation_id: uuid, history } = opened.data.data;
console.log(`assistant: ${history[0]?.content}`);

const question = 'A que horas a padaria abre?';
console.log(`you: ${question}`);
const { data } = await sendMessage({ path: { uuid }, body: { message: question }, throwOnError: true });
console.log(`assistant: ${data.message}`);
