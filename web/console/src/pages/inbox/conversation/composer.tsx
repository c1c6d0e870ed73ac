import { ActionIcon, Tooltip } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { SendHorizontal } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type Ref, useRef } from 'react';
import { sendAgentMessage, showTyping } from '#client/sdk.gen.js';
import { hasVisibleText } from '#web/shared/visible-text.js';
import { dataOf } from '../../../api/client.js';
import { GrowingTextarea } from '../../../components/inputs/growing-textarea.js';
import { useTexts } from '../../../texts/texts.js';
import { useErrorText } from '../../../texts/use-error-text.js';
import classes from '../inbox.module.css';
import { forgetSent, keyOf, useDraft } from './drafts.js';

const MAX_LENGTH = 2_000;
/** The widget shows a typing hint for a few seconds, so hints are sent at most this often. */
const TYPING_EVERY_MS = 3_000;

/** Reply box. The draft survives navigation, an expired session and a failed request. */
export function Composer({ id, ref }: { readonly id: string; readonly ref: Ref<HTMLTextAreaElement> }) {
  const t = useTexts('inbox');
  const errorText = useErrorText();
  const [text, setText] = useDraft(id);
  const reply = useReply(id);
  const tell = useTyping(id);
  const excess = text.trim().length - MAX_LENGTH;
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    const message = text.trim();
    if (hasVisibleText(message) && excess <= 0 && !reply.isPending) reply.mutate(message);
  };
  const pressed = (event: KeyboardEvent) => {
    // Enter that confirms an input method's choice does not send.
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

/** One idempotency key per message, so that a retry is stored once. */
function useReply(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (message: string) =>
      dataOf(
        sendAgentMessage({
          path: { uuid: id },
          body: { message },
          headers: { 'Idempotency-Key': keyOf(id, message) },
          throwOnError: true,
        }),
      ),
    onSuccess: (_answer, message) => {
      forgetSent(id, message);
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
