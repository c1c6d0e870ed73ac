import { ActionIcon, Button, Text } from '@mantine/core';
import { RotateCcw, SendHorizontal } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { AssistantResponse } from '#client/types.gen.js';
import { Dimmed } from '../../../components/dimmed.js';
import { GrowingTextarea } from '../../../components/inputs/growing-textarea.js';
import { Loaded } from '../../../components/states/loaded.js';
import { Problem } from '../../../components/states/problem.js';
import { useTexts } from '../../../texts/texts.js';
import classes from './test-chat.module.css';
import { Message } from './test-message.js';
import { TestVariablesForm } from './test-variables.js';
import { type TestMessage, useTestChat } from './use-test-chat.js';

const MOST_CHARACTERS = 2_000;

interface Props {
  readonly assistant: AssistantResponse;
  /** The editor has unsaved changes, which the test does not use. */
  readonly isOld: boolean;
  readonly startsAtOnce: boolean;
}

/** A free conversation with the saved version of the assistant. */
export function TestChat({ assistant, isOld, startsAtOnce }: Props) {
  const t = useTexts('assistants').chat;
  const chat = useTestChat(assistant.id, startsAtOnce);
  return (
    <div className={classes.chat}>
      <div className={classes.head}>
        <div>
          <Text fw={600}>{t.title}</Text>
          <Text size="xs" c="dimmed">
            {isOld ? t.unsaved : t.free}
          </Text>
        </div>
        <Button
          className={classes.restart ?? ''}
          variant="subtle"
          size="xs"
          color="gray"
          leftSection={<RotateCcw size={14} />}
          onClick={() => chat.restart()}
        >
          {t.restart}
        </Button>
      </div>
      <TestVariablesForm assistant={assistant} onApply={chat.restart} />
      {chat.isStarted ? (
        <Loaded query={chat.opening} lines={2}>
          {() => <Messages messages={chat.messages} isWriting={chat.isWriting} problem={chat.problem} />}
        </Loaded>
      ) : (
        <Dimmed className={classes.log}>{t.begin}</Dimmed>
      )}
      <Composer isBusy={chat.isWriting} onStart={chat.start} onSend={chat.send} />
    </div>
  );
}

interface MessagesProps {
  readonly messages: readonly TestMessage[];
  readonly isWriting: boolean;
  readonly problem: unknown;
}

function Messages({ messages, isWriting, problem }: MessagesProps) {
  const t = useTexts('assistants').chat;
  const end = useRef<HTMLDivElement>(null);
  const length = messages.reduce((sum, { text }) => sum + text.length, messages.length);
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [length, problem]);
  return (
    <div className={classes.log} role="log" aria-label={t.log} aria-busy={isWriting} tabIndex={0}>
      {messages.map((message, at) => (
        <Message key={at} message={message} isGrowing={isWriting && at === messages.length - 1} />
      ))}
      {isWriting && messages.at(-1)?.author === 'you' && <Dimmed>{t.writing}</Dimmed>}
      {problem !== null && <Problem error={problem} />}
      <div ref={end} />
    </div>
  );
}

function Composer({
  isBusy,
  onStart,
  onSend,
}: {
  readonly isBusy: boolean;
  readonly onStart: () => void;
  readonly onSend: (text: string) => Promise<boolean>;
}) {
  const t = useTexts('assistants').chat;
  const [text, setText] = useState('');
  const send = async () => {
    const sent = text.trim();
    if (sent === '' || isBusy) return;
    setText('');
    // Puts a refused message back, unless the person has typed another one.
    if (!(await onSend(sent))) setText((now) => now || sent);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  return (
    <form className={classes.composer} onSubmit={submit}>
      <GrowingTextarea
        aria-label={t.message}
        placeholder={t.placeholder}
        value={text}
        maxRows={6}
        maxLength={MOST_CHARACTERS}
        onFocus={onStart}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={press}
      />
      <ActionIcon type="submit" size="lg" variant="filled" color="iris" aria-label={t.send} disabled={isBusy}>
        <SendHorizontal size={17} />
      </ActionIcon>
    </form>
  );
}
