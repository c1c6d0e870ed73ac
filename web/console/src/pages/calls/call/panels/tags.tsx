import { Badge, Button, CloseButton, Group, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { setCallTags } from '#client/sdk.gen.js';
import type { CallDetailsResponse } from '#client/types.gen.js';
import { dataOf } from '#web/console/src/api/client.js';
import { Panel } from '#web/console/src/components/page/panel.jsx';
import { Problem } from '#web/console/src/components/states/problem.jsx';
import { useIsAllowed } from '#web/console/src/session/rights.js';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { callQuery } from '../../call-query.js';

const MOST = 10;
const MAX_LENGTH = 40;

/** The tags of a call. Each leads to the calls that have it. */
export function Tags({ call: { id, tags } }: { readonly call: CallDetailsResponse }) {
  const t = useTexts('callPage').tags;
  const isAllowed = useIsAllowed('calls');
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const change = useMutation({
    mutationFn: (changed: readonly string[]) =>
      dataOf(setCallTags({ path: { id }, body: { tags: [...changed] }, throwOnError: true })),
    onSuccess: () => queries.invalidateQueries({ queryKey: callQuery(id).queryKey }),
  });
  const add = (event: FormEvent) => {
    event.preventDefault();
    const tag = typed.trim();
    if (tag === '') return;
    if (!tags.includes(tag)) change.mutate([...tags, tag]);
    setTyped('');
  };
  if (!isAllowed && tags.length === 0) return null;
  return (
    <Panel title={t.title}>
      {tags.length > 0 && (
        <Group gap="xs" mb="sm">
          {tags.map((tag) => (
            <Group key={tag} gap={2} wrap="nowrap">
              <Badge
                color="gray"
                style={{ cursor: 'pointer' }}
                renderRoot={(props) => <Link to="/calls" search={{ tag }} {...props} />}
              >
                {tag}
              </Badge>
              {isAllowed && (
                <CloseButton
                  size={24}
                  iconSize={14}
                  aria-label={t.remove(tag)}
                  onClick={() => change.mutate(tags.filter((other) => other !== tag))}
                />
              )}
            </Group>
          ))}
        </Group>
      )}
      {isAllowed && tags.length < MOST && (
        <form onSubmit={add}>
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              label={t.label}
              value={typed}
              size="xs"
              maxLength={MAX_LENGTH}
              autoComplete="off"
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
            <Button type="submit" size="xs" variant="default" loading={change.isPending}>
              {t.add}
            </Button>
          </Group>
        </form>
      )}
      {change.error && <Problem error={change.error} />}
    </Panel>
  );
}
