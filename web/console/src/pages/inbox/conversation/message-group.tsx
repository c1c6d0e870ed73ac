import { Bot, User } from 'lucide-react';
import type {
  ConversationItemResponse,
  FunctionCallResponse,
  ThreadMessageResponse,
} from '#client/types.gen.js';
import { Markdown } from '../../../components/markdown.js';
import { useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';
import classes from '../inbox.module.css';
import { customerName } from '../../../components/customer-name.js';

interface Props {
  readonly messages: readonly ThreadMessageResponse[];
  readonly conversation: ConversationItemResponse;
}

/** Consecutive messages of one author: the customer on the left, the others on the right. */
export function MessageGroup({ messages, conversation }: Props) {
  const t = useTexts('inbox');
  const format = useFormat();
  const author = messages[0]?.author ?? 'customer';
  const last = messages.at(-1);
  const name = {
    customer: customerName(conversation, t.visitor),
    ai: last?.assistant_name ?? t.ai,
    agent: last?.member_name ?? t.person,
  }[author];
  return (
    <div className={classes.group} data-author={author}>
      {messages.map((message) => (
        <div key={message.id} data-message={message.id}>
          {message.function_calls?.map((call, index) => (
            <ToolCall key={index} call={call} />
          ))}
          {message.content && <Bubble message={message} />}
        </div>
      ))}
      <p className={classes.byline}>
        {author === 'ai' && <Bot size={13} aria-hidden="true" />}
        {author === 'agent' && <User size={13} aria-hidden="true" />}
        {name}
        {last && <time dateTime={last.created_at}>{format.time(last.created_at)}</time>}
      </p>
    </div>
  );
}

/** Customers write plain text. Other messages can have Markdown, as in the widget. */
function Bubble({ message: { author, content } }: { readonly message: ThreadMessageResponse }) {
  if (author === 'customer') return <p className={`${classes.bubble} ${classes.plain}`}>{content}</p>;
  return (
    <div className={classes.bubble}>
      <Markdown text={content} />
    </div>
  );
}

function ToolCall({ call }: { readonly call: FunctionCallResponse }) {
  const t = useTexts('inbox');
  return (
    <details className={classes.tool}>
      <summary>{t.tool(call.name)}</summary>
      <p>{t.toolArguments}</p>
      <pre tabIndex={0}>{JSON.stringify(call.arguments, null, 2)}</pre>
      <p>{t.toolResult}</p>
      <pre tabIndex={0}>{JSON.stringify(call.result, null, 2)}</pre>
    </details>
  );
}
