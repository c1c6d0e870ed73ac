import { Badge, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { deleteSimulation, getSimulation } from '#client/sdk.gen.js';
import type { SimulationResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { ConfirmButton } from '../../components/actions/confirm-button.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { Loaded } from '../../components/states/loaded.js';
import { useTexts } from '../../texts/texts.js';

const RUNNING_EVERY_MS = 2_000;
const COLORS = { pending: 'iris', passed: 'green', failed: 'red', error: 'amber' } as const;

type Run = SimulationResponse['results'][number];

interface Props {
  readonly id: number | undefined;
  readonly onClose: () => void;
}

/** One simulation with its conversations, next to the list. */
export function SimulationDrawer({ id, onClose }: Props) {
  const t = useTexts('simulations');
  const query = useQuery({
    queryKey: ['simulations', 'one', id],
    enabled: id !== undefined,
    queryFn: ({ signal }) => dataOf(getSimulation, { path: { id: id ?? 0 }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? RUNNING_EVERY_MS : false),
  });
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      size="36rem"
      title={query.data?.name ?? t.unnamed(id ?? 0)}
    >
      <Loaded query={query} lines={10}>
        {(simulation) => (
          <Stack gap="lg">
            {simulation.results.map((run) => (
              <RunView key={run.number} run={run} />
            ))}
            <IfAllowed scope="admin">
              <DeleteSimulation id={simulation.id} onDeleted={onClose} />
            </IfAllowed>
          </Stack>
        )}
      </Loaded>
    </Drawer>
  );
}

function RunView({ run }: { readonly run: Run }) {
  const t = useTexts('simulations').details;
  return (
    <section aria-label={t.run(run.number)}>
      <Group justify="space-between" mb="xs">
        <Title order={3} size="h5">
          {t.run(run.number)}
        </Title>
        <Badge color={COLORS[run.status]}>{t.statuses[run.status]}</Badge>
      </Group>
      {run.error && (
        <Text size="sm" mb="xs">
          {run.error}
        </Text>
      )}
      <Stack component="ul" gap={4} mb="xs" pl="md">
        {run.checks.map(({ check, passed, reason }) => (
          <Text component="li" size="sm" key={check}>
            <b>{passed ? t.held : t.broken}:</b> {reason}
          </Text>
        ))}
      </Stack>
      <Stack component="ol" gap={4} pl="md">
        {run.transcript.map(({ role, text }, index) => (
          <Text component="li" size="sm" key={index}>
            <b>{role === 'customer' ? t.customer : t.assistant}:</b> {text}
          </Text>
        ))}
      </Stack>
    </section>
  );
}

interface DeleteProps {
  readonly id: number;
  readonly onDeleted: () => void;
}

function DeleteSimulation({ id, onDeleted }: DeleteProps) {
  const t = useTexts('simulations').details;
  const queries = useQueryClient();
  const leave = () => {
    onDeleted();
    return queries.invalidateQueries({ queryKey: ['simulations', 'list'] });
  };
  return (
    <Group>
      <ConfirmButton
        label={t.delete}
        title={t.deleteTitle}
        variant="default"
        leftSection={<Trash2 size={15} />}
        action={() => dataOf(deleteSimulation, { path: { id } })}
        onDone={leave}
      >
        {t.deleteQuestion}
      </ConfirmButton>
    </Group>
  );
}
