import { listMessages } from '#client/sdk.gen.js';
import type { ConversationItemResponse, ThreadMessageResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { saveFile } from '../../components/actions/save-file.js';

const MESSAGES_A_PAGE = 200;
/** Longer conversations keep their last messages. */
const MOST_PAGES = 50;

interface Words {
  readonly title: string;
  readonly customer: string;
  readonly ai: string;
  readonly person: string;
  readonly omitted: string;
  readonly dateTime: (when: string) => string;
}

/** Saves the messages of a conversation as a text file. */
export async function exportConversation({ id }: ConversationItemResponse, words: Words): Promise<void> {
  const { messages, isWhole } = await messagesOf(id);
  const lines = messages.map((message) => {
    const time = words.dateTime(message.created_at);
    return `[${time}] ${authorOf(message, words)}: ${message.content}`;
  });
  const text = [words.title, id, '', ...(isWhole ? [] : [words.omitted]), ...lines, ''].join('\n');
  saveFile(new Blob([text], { type: 'text/plain;charset=utf-8' }), `conversation-${id}.txt`);
}

async function messagesOf(id: string) {
  let messages: ThreadMessageResponse[] = [];
  for (let page = 0; page < MOST_PAGES; page++) {
    const before = messages[0]?.id;
    const query = { limit: MESSAGES_A_PAGE, ...(before === undefined ? {} : { before }) };
    const { data, has_more } = await dataOf(listMessages, { path: { uuid: id }, query });
    messages = [...data, ...messages];
    if (!has_more) return { messages, isWhole: true };
  }
  return { messages, isWhole: false };
}

function authorOf({ author, assistant_name, member_name }: ThreadMessageResponse, words: Words): string {
  if (author === 'customer') return words.customer;
  return author === 'ai' ? (assistant_name ?? words.ai) : (member_name ?? words.person);
}
