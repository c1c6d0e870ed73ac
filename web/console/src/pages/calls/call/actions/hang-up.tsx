import { useQueryClient } from '@tanstack/react-query';
import { PhoneOff } from 'lucide-react';
import { hangUpCall } from '#client/sdk.gen.js';
import { dataOf } from '#web/console/src/api/client.js';
import { ConfirmButton } from '#web/console/src/components/actions/confirm-button.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';

export function HangUp({ id }: { readonly id: number }) {
  const { details: t } = useTexts('calls');
  const queries = useQueryClient();
  return (
    <ConfirmButton
      label={t.hangUp}
      leftSection={<PhoneOff size={16} />}
      action={() => dataOf(hangUpCall, { path: { id } })}
      onDone={() => queries.invalidateQueries({ queryKey: ['calls'] })}
    >
      {t.hangUpQuestion}
    </ConfirmButton>
  );
}
