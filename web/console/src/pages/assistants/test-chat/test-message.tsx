import { Text } from '@mantine/core';
import { Markdown } from '../../../components/markdown.js';
import { useTexts } from '../../../texts/texts.js';
import classes from './test-chat.module.css';
import type { TestMessage } from './use-test-chat.js';

interface Props {
  readonly message: TestMessage;
  readonly isGrowing: boolean;
}

/** One message of the test chat, with the tools that were called for it. */
export function Message({ message: { author, text, calls, isCut }, isGrowing }: Props) {
  const t = useTexts('assistants').chat;
  return (
    <div className={classes.message} data-author={author}>
      <Text size="xs" c="dimmed">
        {t[author]}
      </Text>
      {calls.map((call, at) => (
        <details key={at} className={classes.call}>
          <summary>{t.called(call.name)}</summary>
          <pre>{JSON.stringify({ arguments: call.arguments, result: call.result }, null, 2)}</pre>
        </details>
      ))}
      {text !== '' && (
        <div className={classes.text}>
          {author === 'you' ? text : <Markdown text={text} isGrowing={isGrowing} />}
        </div>
      )}
      {isCut && (
        <Text size="xs" c="red">
          {t.interrupted}
        </Text>
      )}
    </div>
  );
}
