import { ActionIcon, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { deleteSavedReply } from '#client/sdk.gen.js';
import type { SavedReplyResponse } from '#client/types.gen.js';
import { Dimmed } from '../../../components/dimmed.js';
import { dataOf } from '../../../api/client.js';
import { Problem } from '../../../components/states/problem.js';
import { useTexts } from '../../../texts/texts.js';
import { savedRepliesQuery } from './queries.js';
import { ReplyForm } from './reply-form.js';
import classes from './saved-replies.module.css';

/** The saved replies of the account, with a form for a new or the chosen one. */
export function ManageDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('inbox').savedReplies;
  const { actions } = useTexts('common');
  const { data: replies = [], error } = useQuery(savedRepliesQuery);
  const [edited, setEdited] = useState<SavedReplyResponse | null>(null);
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: (id: number) => dataOf(deleteSavedReply, { path: { id } }),
    onSuccess: (_answer, id) => {
      if (edited?.id === id) setEdited(null);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: savedRepliesQuery.queryKey }),
  });
  const problem = error ?? remove.error;
  return (
    <Modal opened onClose={onClose} title={t.title}>
      <Stack>
        {replies.length === 0 && <Dimmed>{t.empty}</Dimmed>}
        <ul className={classes.list} aria-label={t.title}>
          {replies.map((reply) => (
            <li key={reply.id} className={classes.item}>
              <div>
                <Text size="sm" fw={500}>
                  /{reply.shortcut}
                </Text>
                <p>{reply.text}</p>
              </div>
              <ActionIcon aria-label={`${actions.edit} /${reply.shortcut}`} onClick={() => setEdited(reply)}>
                <Pencil size={16} />
              </ActionIcon>
              <ActionIcon
                aria-label={`${actions.delete} /${reply.shortcut}`}
                onClick={() => remove.mutate(reply.id)}
              >
                <Trash2 size={16} />
              </ActionIcon>
            </li>
          ))}
        </ul>
        {problem && <Problem error={problem} />}
        <ReplyForm key={edited?.id ?? 'new'} reply={edited} onDone={() => setEdited(null)} />
      </Stack>
    </Modal>
  );
}
