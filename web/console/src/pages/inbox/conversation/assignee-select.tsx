import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import { assignConversation } from '#client/sdk.gen.js';
import type { AssigneeResponse, ConversationItemResponse } from '#client/types.gen.js';
import { dataOf } from '../../../api/client.js';
import { useIsAllowed } from '../../../session/rights.js';
import { useTexts } from '../../../texts/texts.js';
import { useErrorText } from '../../../texts/use-error-text.js';
import classes from '../inbox.module.css';
import { conversationKey, useAssignees } from '../use-inbox.js';

interface Props {
  readonly conversation: ConversationItemResponse;
}

/** Who takes care of the conversation. People who may not answer customers only read it. */
export function AssigneeSelect({ conversation }: Props) {
  const t = useTexts('inbox');
  const mayChat = useIsAllowed('chat');
  const { assignee } = conversation;
  if (mayChat) return <Choice conversation={conversation} />;
  return assignee ? (
    <Text size="xs" c="dimmed" truncate>
      {t.assignedTo(assignee.name)}
    </Text>
  ) : null;
}

function Choice({ conversation: { id, assignee } }: Props) {
  const t = useTexts('inbox');
  const assign = useAssign(id);
  const { data: listed = [] } = useAssignees();
  // A person whose role has changed since is not in the list.
  const isListed = listed.some((person) => keyOf(person) === keyOf(assignee));
  const people = assignee && !isListed ? [...listed, assignee] : listed;
  return (
    <select
      className={classes.assignee}
      aria-label={t.assigneeFilter}
      value={keyOf(assign.isPending ? assign.variables : assignee)}
      onChange={({ currentTarget }) =>
        assign.mutate(people.find((person) => keyOf(person) === currentTarget.value))
      }
    >
      <option value="">{t.assignees.none}</option>
      {people.map((person) => (
        <option key={keyOf(person)} value={keyOf(person)}>
          {person.name}
        </option>
      ))}
    </select>
  );
}

function useAssign(id: string) {
  const queries = useQueryClient();
  const errorText = useErrorText();
  return useMutation({
    mutationFn: (person: AssigneeResponse | undefined) =>
      dataOf(assignConversation, {
        path: { uuid: id },
        body: { member_id: person?.member_id ?? null, owner: person?.owner ?? false },
      }),
    onSuccess: ({ data }) => {
      queries.setQueryData(conversationKey(id), data);
      return queries.invalidateQueries({ queryKey: ['conversations'] });
    },
    onError: (error) => notifications.show({ message: errorText(error), color: 'red' }),
  });
}

function keyOf(person: AssigneeResponse | undefined): string {
  if (!person) return '';
  return person.owner ? 'owner' : String(person.member_id);
}
