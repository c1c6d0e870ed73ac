import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Switch } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getAvailability, updateAvailability } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { useTexts } from '../../texts/texts.js';
import { useErrorText } from '../../texts/use-error-text.js';

/** It ends by itself, a minute after the last page of the person is closed: other pages show that. */
const POLL_MS = 30_000;

const availabilityQuery = queryOptions({
  queryKey: ['availability'],
  queryFn: ({ signal }) => dataOf(getAvailability, { signal }),
  refetchInterval: POLL_MS,
});

/** Whether the person takes calls that assistants pass on. */
export function Availability() {
  const t = useTexts('live').availability;
  const errorText = useErrorText();
  const queries = useQueryClient();
  const query = useQuery(availabilityQuery);
  const change = useMutation({
    mutationFn: async (available: boolean) => {
      const { data } = await dataOf(updateAvailability, { body: { available } });
      return data;
    },
    onSuccess: (data) => queries.setQueryData(availabilityQuery.queryKey, data),
  });
  const shown = change.isPending ? change.variables : (query.data?.available ?? false);
  const error = change.error ?? (query.data ? null : query.error);
  return (
    <Switch
      label={t.label}
      description={t.hint}
      checked={shown}
      disabled={!query.data}
      error={error && errorText(error)}
      onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
    />
  );
}
