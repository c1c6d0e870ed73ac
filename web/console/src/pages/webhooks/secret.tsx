import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { getWebhookSecret, rotateWebhookSecret } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { ConfirmButton } from '../../components/actions/confirm-button.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import { ShownSecret } from './shown-secret.js';

const QUERY_KEY = ['webhook-secret'];

/** Signing secret of assistant webhooks, fetched on request. */
export function Secret() {
  const { secret: t } = useTexts('webhooks');
  const queries = useQueryClient();
  const [isShown, { toggle, open: show }] = useDisclosure(false);
  const refresh = () => {
    show();
    return queries.invalidateQueries({ queryKey: QUERY_KEY });
  };
  return (
    <Panel
      title={t.ofAssistants}
      subtitle={t.text}
      actions={
        <Group gap="sm">
          <Button variant="default" size="xs" onClick={toggle}>
            {isShown ? t.hide : t.show}
          </Button>
          <ConfirmButton
            label={t.rotate}
            variant="subtle"
            size="xs"
            action={() => dataOf(rotateWebhookSecret, {})}
            onDone={refresh}
          >
            {t.rotateText}
          </ConfirmButton>
        </Group>
      }
    >
      {isShown && (
        <ShownSecret queryKey={QUERY_KEY} load={(signal) => dataOf(getWebhookSecret, { signal })} />
      )}
    </Panel>
  );
}
