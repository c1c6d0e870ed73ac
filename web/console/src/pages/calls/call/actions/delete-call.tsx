import { Trash2 } from 'lucide-react';
import { deleteCall } from '#client/sdk.gen.js';
import { dataOf } from '#web/console/src/api/client.js';
import { useLeaveDeleted } from '#web/console/src/components/actions/use-leave-deleted.js';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { ConfirmButton } from '#web/console/src/components/actions/confirm-button.jsx';

export function DeleteCall({ id }: { readonly id: number }) {
  const { details: t } = useTexts('calls');
  const leave = useLeaveDeleted('/calls', ['calls'], ['calls', 'one', id]);
  return (
    <ConfirmButton
      label={t.delete}
      variant="light"
      leftSection={<Trash2 size={16} />}
      action={() => dataOf(deleteCall, { path: { id } })}
      onDone={leave}
    >
      {t.deleteQuestion}
    </ConfirmButton>
  );
}
