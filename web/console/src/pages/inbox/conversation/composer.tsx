import { ActionIcon, Tooltip } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { SendHorizontal } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type Ref, useEffect, useRef, useState } from 'react';
import { sendAgentMessage, showTyping } from '../../../../../../clients/typescript/src/sdk.gen.js';
import { dataOf } from '../../../api/client.js';
import { newKey } from '../../../api/new-key.js';
import { GrowingTextarea } from '../../../components/inputs/growing-textarea.js';
import { useTexts } from '../../../texts/texts.js';
import { useErrorText } from '../../../texts/use-error-text.js';
import classes from '../inbox.module.css';

const MAX_LENGTH = 2_000;
/** The customer's side shows it for a few seconds: telling it more often than this changes nothing. */
const TYPING_EVERY_MS = 3_000;
const draftKey = (id: string) => `prosa.inbox.draft.${id}`;

/** Where an operator answers. What is typed stays, whatever happens to the page, the session or the request. */
export function Composer({ id, ref }: { readonly id: string; readonly ref: Ref<HTMLTextAreaElement> }) {
  const t = useTexts('inbox');
  const errorText = useErrorText();
  const [text, setText] = useDraft(id);
  const reply = useReply(id, (sent) => setText((now) => withoutSent(now, sent)));
  const tell = useTyping(id);
  const excess = text.trim().length - MAX_LENGTH;
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    const message = text.trim();
    if (message !== '' && excess <= 0 && !reply.isPending) reply.mutate(message);
  };
  const pressed = (event: KeyboardEvent) => {
    // Enter that ends the choice of a character is not meant for us.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  const problem =
    excess > 0 ? t.reply.tooLong(excess) : reply.error && `${t.reply.failed} ${errorText(reply.error)}`;
  return (
    <form className={classes.composer} onSubmit={submit}>
      <GrowingTextarea
        ref={ref}
        maxRows={8}
        aria-label={t.reply.label}
        placeholder={t.reply.placeholder}
        value={text}
        error={problem}
        onKeyDown={pressed}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          tell();
        }}
      />
      <Tooltip label={t.reply.hint}>
        <ActionIcon
          type="submit"
          variant="filled"
          color="iris"
          size={36}
          loading={reply.isPending}
          aria-label={t.reply.send}
          disabled={text.trim() === '' || excess > 0}
        >
          <SendHorizontal size={17} />
        </ActionIcon>
      </Tooltip>
    </form>
  );
}

function useDraft(id: string) {
  const [text, setText] = useState(() => sessionStorage.getItem(draftKey(id)) ?? '');
  useEffect(() => {
    if (text === '') sessionStorage.removeItem(draftKey(id));
    else sessionStorage.setItem(draftKey(id), text);
  }, [id, text]);
  return [text, setText] as const;
}

/** What is left of a text when the beginning of it was sent: on a slow connection one types on meanwhile. */
function withoutSent(now: string, sent: string): string {
  const words = now.trimStart();
  return words.startsWith(sent) ? words.slice(sent.length).trimStart() : now;
}

/** One key a message: sent again after a lost answer, it is stored once. */
function useReply(id: string, onSent: (message: string) => void) {
  const queries = useQueryClient();
  const sending = useRef({ message: '', key: '' });
  return useMutation({
    mutationFn: (message: string) => {
      if (sending.current.message !== message) sending.current = { message, key: newKey() };
      return dataOf(
        sendAgentMessage({
          path: { uuid: id },
          body: { message },
          headers: { 'Idempotency-Key': sending.current.key },
          throwOnError: true,
        }),
      );
    },
    onSuccess: (_answer, message) => {
      sending.current = { message: '', key: '' };
      onSent(message);
      return queries.invalidateQueries({ queryKey: ['conversations'] });
    },
  });
}

function useTyping(id: string): () => void {
  const last = useRef(0);
  const { mutate } = useMutation({
    mutationFn: () => dataOf(showTyping({ path: { uuid: id }, throwOnError: true })),
  });
  return () => {
    if (Date.now() - last.current < TYPING_EVERY_MS) return;
    last.current = Date.now();
    mutate();
  };
}
