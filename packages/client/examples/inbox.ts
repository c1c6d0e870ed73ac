// Waits for a customer's message, takes the conversation over and answers.
import { getInboxConversation, sendAgentMessage, watchAccount } from '../src/index.js';
import { connect } from './connect.js';

connect();
const { stream } = await watchAccount({ headers: { Accept: 'text/event-stream' } });
for await (const event of stream) {
  const hint = (typeof event === 'string' ? JSON.parse(event) : event) as { type: string; ids: string[] };
  if (hint.type === 'resync') console.log('watching');
  const [uuid] = hint.ids;
  if (hint.type !== 'conversation' || uuid === undefined) continue;
  const { data } = await getInboxConversation({ path: { uuid }, throwOnError: true });
  if (data.last_author === 'agent') continue;
  await sendAgentMessage({ path: { uuid }, body: { message: 'Olá, aqui é a Marta.' }, throwOnError: true });
  console.log(`answered: ${data.last_message}`);
  break;
}
process.exit(0);
