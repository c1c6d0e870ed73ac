import { ActionIcon, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { SendHorizontal } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type Ref, useId, useRef } from 'react';
import { sendAgentMessage, showTyping } from '#client/sdk.gen.js';
import type { ConversationItemResponse, SavedReplyResponse } from '#client/types.gen.js';
import { hasVisibleText } from '#web/shared/visible-text.js';
import { dataOf } from '../../../api/client.js';
import { lazyNamed } from '../../../components/states/lazy-named.js';
import { fillReply } from '../saved-replies/fill.js';
import { optionId, usePicker } from '../saved-replies/use-picker.js';
import { GrowingTextarea } from '../../../components/inputs/growing-textarea.js';
import { useTexts } from '../../../texts/texts.js';
import { useErrorText } from '../../../texts/use-error-text.js';
import classes from '../inbox.module.css';
import { forgetSent, keyOf, useDraft } from './drafts.js';

const MAX_LENGTH = 2_000;
/** The widget shows a typing hint for a few seconds, so hints are sent at most this often. */
const TYPING_EVERY_MS = 3_000;

const ReplyList = lazyNamed(async () => (await import('../saved-replies/reply-list.js')).ReplyList);
const ManageDialog = lazyNamed(async () => (await import('../saved-replies/manage-dialog.js')).ManageDialog);
/** Where there is no pointer that hovers, the hint would stay over the button above after a touch. */
const CAN_HOVER = matchMedia('(hover: hover)').matches;

interface Props {
  readonly conversation: ConversationItemResponse;
  readonly ref: Ref<HTMLTextAreaElement>;
}

/** Reply box. The draft survives navigation, an expired session and a failed request. */
export function Composer({ conversation, ref }: Props) {
  const { id, variables } = conversation;
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
  const listId = useId();
  const [isManaging, managing] = useDisclosure(false);
  const pick = (saved: SavedReplyResponse) => setText(fillReply(saved.text, variables));
  const picker = usePicker(text, pick);
  const marked = picker.found[picker.at];
  const pressed = (event: KeyboardEvent) => {
    if (picker.pressed(event)) return;
    // Enter that confirms an input method's choice does not send.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  const problem =
    excess > 0 ? t.reply.tooLong(excess) : reply.error && `${t.reply.failed} ${errorText(reply.error)}`;
  return (
    <>
      {picker.isOpen && (
        <ReplyList id={listId} replies={picker.found} at={picker.at} onPick={pick} onManage={managing.open} />
      )}
      {isManaging && <ManageDialog onClose={managing.close} />}
      <form className={classes.composer} onSubmit={submit}>
        <GrowingTextarea
          ref={ref}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={picker.isOpen ? listId : undefined}
          aria-activedescendant={picker.isOpen && marked ? optionId(listId, marked) : undefined}
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
        <Tooltip label={t.reply.hint} disabled={!CAN_HOVER}>
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
    </>
  );
}

/** One idempotency key per message, so that a retry is stored once. */
function useReply(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (message: string) =>
      dataOf(sendAgentMessage, {
        path: { uuid: id },
        body: { message },
        headers: { 'Idempotency-Key': keyOf(id, message) },
      }),
    onSuccess: (_answer, message) => {
      forgetSent(id, message);
      return queries.invalidateQueries({ queryKey: ['conversations'] });
    },
  });
}

function useTyping(id: string): () => void {
  const last = useRef(0);
  const { mutate } = useMutation({
    mutationFn: () => dataOf(showTyping, { path: { uuid: id } }),
  });
  return () => {
    if (Date.now() - last.current < TYPING_EVERY_MS) return;
    last.current = Date.now();
    mutate();
  };
}
