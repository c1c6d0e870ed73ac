import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createSavedReply, updateSavedReply } from '#client/sdk.gen.js';
import type { SavedReplyResponse } from '#client/types.gen.js';
import { dataOf } from '../../../api/client.js';
import { Form } from '../../../components/inputs/form.js';
import { Problem } from '../../../components/states/problem.js';
import { useTexts } from '../../../texts/texts.js';
import { savedRepliesQuery } from './queries.js';

interface Props {
  /** Null: a new one. */
  readonly reply: SavedReplyResponse | null;
  readonly onDone: () => void;
}

const SHORTCUT = /^[\p{L}\p{N}-]+$/u;

export function ReplyForm({ reply, onDone }: Props) {
  const t = useTexts('inbox').savedReplies;
  const { actions } = useTexts('common');
  const [shortcut, setShortcut] = useState(reply?.shortcut ?? '');
  const [text, setText] = useState(reply?.text ?? '');
  const save = useMutation({
    mutationFn: (body: { shortcut: string; text: string }) =>
      reply ? dataOf(updateSavedReply, { path: { id: reply.id }, body }) : dataOf(createSavedReply, { body }),
    meta: { changes: [savedRepliesQuery.queryKey] },
    onSuccess: () => {
      setShortcut('');
      setText('');
      onDone();
    },
  });
  const isWrong = shortcut !== '' && !SHORTCUT.test(shortcut);
  const isReady = shortcut !== '' && !isWrong && text.trim() !== '';
  const submit = () => {
    if (isReady && !save.isPending) save.mutate({ shortcut, text });
  };
  return (
    <Form onSubmit={submit} aria-label={reply ? t.change : t.add}>
      <Stack gap="sm">
        <TextInput
          label={t.shortcut}
          description={t.shortcutHint}
          leftSection="/"
          value={shortcut}
          maxLength={40}
          autoComplete="off"
          data-autofocus
          error={isWrong && t.shortcutWrong}
          onChange={({ currentTarget }) => setShortcut(currentTarget.value)}
        />
        <Textarea
          label={t.text}
          description={t.textHint}
          value={text}
          maxLength={2_000}
          rows={4}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {save.error && <Problem error={save.error} />}
        <Group justify="flex-end">
          {reply && (
            <Button variant="default" onClick={onDone}>
              {actions.cancel}
            </Button>
          )}
          <Button type="submit" loading={save.isPending} disabled={!isReady}>
            {reply ? actions.save : t.add}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
