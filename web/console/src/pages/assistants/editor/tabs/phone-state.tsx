import { Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { updateAssistant } from '#client/sdk.gen.js';
import type { AssistantResponse } from '#client/types.gen.js';
import { dataOf } from '#web/console/src/api/client.js';
import { stateOf } from '#web/console/src/catalog/assistant-state.js';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { useErrorText } from '#web/console/src/texts/use-error-text.js';

/** Whether it answers by phone. The switch acts at once, as the button that activates does: both are one decision. */
export function PhoneState({ assistant }: { readonly assistant: AssistantResponse }) {
  const t = useTexts('assistants').phoneState;
  const errorText = useErrorText();
  const change = useMutation({
    mutationFn: (byUse: boolean) =>
      dataOf(updateAssistant, { path: { id: assistant.id }, body: { activates_by_use: byUse } }),
    meta: { changes: [['assistants']] },
    onError: (error) => notifications.show({ message: errorText(error), color: 'red' }),
  });
  const state = stateOf(assistant);
  return (
    <>
      <Text size="sm">{t[state]}</Text>
      {state !== 'active' && (
        <Switch
          label={t.byUse}
          description={t.byUseHint}
          checked={state === 'inactive'}
          disabled={change.isPending}
          onChange={(event) => change.mutate(event.currentTarget.checked)}
        />
      )}
    </>
  );
}
