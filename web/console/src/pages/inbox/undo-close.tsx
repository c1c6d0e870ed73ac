import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { reopenConversation } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { useTexts } from '../../texts/texts.js';
import { useErrorText } from '../../texts/use-error-text.js';
import { conversationKey } from './use-inbox.js';

const OFFERED_MS = 10_000;

/** Shows that a conversation is closed, with a button that opens it again. It stays when another one is opened. */
export function useUndoOffer(): (id: string) => void {
  const t = useTexts('inbox');
  const undo = useUndo();
  return (closed) => {
    const id = `closed-${closed}`;
    notifications.show({
      id,
      autoClose: OFFERED_MS,
      withCloseButton: false,
      message: (
        <Group justify="space-between" wrap="nowrap">
          {t.closed}
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              notifications.hide(id);
              undo(closed);
            }}
          >
            {t.actions.undo}
          </Button>
        </Group>
      ),
    });
  };
}

function useUndo(): (id: string) => void {
  const t = useTexts('inbox');
  const errorText = useErrorText();
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (id: string) => dataOf(reopenConversation, { path: { uuid: id } }),
    onSuccess: ({ data }) => {
      notifications.show({ message: t.reopened, withCloseButton: false });
      queries.setQueryData(conversationKey(data.id), data);
      return queries.invalidateQueries({ queryKey: ['conversations'] });
    },
    onError: (error) =>
      notifications.show({ message: errorText(error), color: 'red', withCloseButton: false }),
  });
  return mutate;
}
