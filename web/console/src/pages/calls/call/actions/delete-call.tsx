import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { deleteCall } from '#client/sdk.gen.js';
import { dataOf } from '#web/console/src/api/client.js';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { ConfirmButton } from '#web/console/src/components/actions/confirm-button.jsx';

export function DeleteCall({ id }: { readonly id: number }) {
  const { details: t } = useTexts('calls');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = async () => {
    await navigate({ to: '/calls' });
    queries.removeQueries({ queryKey: ['calls', 'one', id] });
    await queries.invalidateQueries({ queryKey: ['calls'] });
  };
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
