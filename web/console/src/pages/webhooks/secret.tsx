import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getWebhookSecret, rotateWebhookSecret } from '#client/sdk.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { ConfirmDialog } from '../../components/actions/confirm-dialog.js';
import { Copyable } from '../../components/actions/copyable.js';
import { Loaded } from '../../components/states/loaded.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

/** Signing secret of assistant webhooks, fetched on request. */
export function Secret() {
  const { secret: t } = useTexts('webhooks');
  const queries = useQueryClient();
  const [isShown, { toggle, open: show }] = useDisclosure(false);
  const [isRotating, { open, close }] = useDisclosure(false);
  const rotate = useMutation({
    mutationFn: () => dataOf(rotateWebhookSecret, {}),
    onSuccess: async () => {
      close();
      show();
      await queries.invalidateQueries({ queryKey: ['webhook-secret'] });
    },
  });
  return (
    <Panel
      title={t.ofAssistants}
      subtitle={t.text}
      actions={
        <Group gap="sm">
          <Button variant="default" size="xs" onClick={toggle}>
            {isShown ? t.hide : t.show}
          </Button>
          <Button variant="subtle" color="red" size="xs" onClick={open}>
            {t.rotate}
          </Button>
        </Group>
      }
    >
      {isShown && <Shown />}
      <ConfirmDialog opened={isRotating} onClose={close} title={t.rotate} mutation={rotate}>
        {t.rotateText}
      </ConfirmDialog>
    </Panel>
  );
}

function Shown() {
  const { secret: t } = useTexts('webhooks');
  const format = useFormat();
  const secret = useQuery({
    queryKey: ['webhook-secret'],
    queryFn: ({ signal }) => dataOf(getWebhookSecret, { signal }),
    gcTime: 0,
  });
  return (
    <Loaded query={secret} lines={1}>
      {({ secret: text, previous_expires_at: until }) => (
        <>
          <Copyable text={text} label={t.label} />
          {until && <Dimmed mt="xs">{t.previous(format.dateTime(until))}</Dimmed>}
        </>
      )}
    </Loaded>
  );
}
