import { ActionIcon, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { addCallNote, deleteCallNote, listCallNotes } from '#client/sdk.gen.js';
import type { CallNoteResponse } from '#client/types.gen.js';
import { dataOf } from '#web/console/src/api/client.js';
import { Form } from '#web/console/src/components/inputs/form.jsx';
import { Panel } from '#web/console/src/components/page/panel.jsx';
import { Loaded } from '#web/console/src/components/states/loaded.jsx';
import { Problem } from '#web/console/src/components/states/problem.jsx';
import { useIsAllowed } from '#web/console/src/session/rights.js';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { useFormat } from '#web/console/src/texts/use-format.js';

const MAX_LENGTH = 2_000;

/** What people of the account have noted about a call. */
export function Notes({ callId }: { readonly callId: number }) {
  const t = useTexts('callPage').notes;
  const isAllowed = useIsAllowed('calls');
  const queries = useQueryClient();
  const queryKey = ['call-notes', callId];
  const notes = useQuery({
    queryKey,
    queryFn: ({ signal }) => dataOf(listCallNotes, { path: { id: callId }, signal }),
  });
  const remove = useMutation({
    mutationFn: (noteId: number) => dataOf(deleteCallNote, { path: { id: callId, noteId } }),
    meta: { changes: [queryKey] },
  });
  return (
    <Panel title={t.title}>
      <Stack gap="sm">
        {isAllowed && <NewNote callId={callId} onAdded={() => queries.invalidateQueries({ queryKey })} />}
        {remove.error && <Problem error={remove.error} />}
        <Loaded query={notes} lines={1}>
          {({ data }) =>
            data.map((note) => (
              <Note key={note.id} note={note} onDelete={isAllowed ? () => remove.mutate(note.id) : null} />
            ))
          }
        </Loaded>
      </Stack>
    </Panel>
  );
}

interface NewNoteProps {
  readonly callId: number;
  readonly onAdded: () => Promise<void>;
}

function NewNote({ callId, onAdded }: NewNoteProps) {
  const t = useTexts('callPage').notes;
  const [text, setText] = useState('');
  const add = useMutation({
    mutationFn: () => dataOf(addCallNote, { path: { id: callId }, body: { text: text.trim() } }),
    onSuccess: () => {
      setText('');
      return onAdded();
    },
  });
  const submit = () => {
    if (text.trim() !== '') add.mutate();
  };
  return (
    <Form onSubmit={submit}>
      <Textarea
        label={t.label}
        description={t.hint}
        value={text}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MAX_LENGTH}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {add.error && <Problem error={add.error} />}
      <Button type="submit" size="xs" mt="xs" variant="default" loading={add.isPending}>
        {t.add}
      </Button>
    </Form>
  );
}

interface NoteProps {
  readonly note: CallNoteResponse;
  readonly onDelete: (() => void) | null;
}

function Note({ note, onDelete }: NoteProps) {
  const t = useTexts('callPage').notes;
  const format = useFormat();
  const when = format.dateTime(note.created_at);
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
      <div>
        <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {note.text}
        </Text>
        <Text size="xs" c="dimmed">
          {note.author_name ?? t.owner} · {when}
        </Text>
      </div>
      {onDelete && (
        <ActionIcon aria-label={t.delete(when)} onClick={onDelete}>
          <Trash2 size={16} />
        </ActionIcon>
      )}
    </Group>
  );
}
