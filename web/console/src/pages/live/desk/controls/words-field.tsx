import { ActionIcon } from '@mantine/core';
import { SendHorizontal } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type Ref, useState } from 'react';
import { hasVisibleText } from '#web/shared/visible-text.js';
import { GrowingTextarea } from '#web/console/src/components/inputs/growing-textarea.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import classes from '../desk.module.css';
import { MAX_WORDS } from '../session/protocol.js';

interface Props {
  readonly ref: Ref<HTMLTextAreaElement> | undefined;
  readonly texts: Readonly<Record<'label' | 'hint' | 'placeholder' | 'send', string>>;
  readonly isDisabled: boolean;
  readonly onSend: (text: string) => void;
}

/** Words for the assistant. Enter sends them. */
export function WordsField({ ref, texts, isDisabled, onSend }: Props) {
  const { desk: t } = useTexts('live');
  const [text, setText] = useState('');
  const words = text.trim();
  const excess = words.length - MAX_WORDS;
  const isSendable = hasVisibleText(words) && excess <= 0 && !isDisabled;
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!isSendable) return;
    onSend(words);
    setText('');
  };
  const pressed = (event: KeyboardEvent) => {
    // Enter that confirms an input method's choice does not send.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <form className={classes.words} onSubmit={submit}>
      <GrowingTextarea
        ref={ref}
        maxRows={5}
        label={texts.label}
        description={texts.hint}
        placeholder={texts.placeholder}
        value={text}
        error={excess > 0 && t.tooLong(excess)}
        onKeyDown={pressed}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ActionIcon
        type="submit"
        variant="light"
        color="iris"
        size={36}
        aria-label={texts.send}
        disabled={!isSendable}
      >
        <SendHorizontal size={17} />
      </ActionIcon>
    </form>
  );
}
