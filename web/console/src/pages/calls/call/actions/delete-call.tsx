import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { deleteCall } from '#client/sdk.gen.js';
import { dataOf } from '#web/console/src/api/client.js';
import { ConfirmDialog } from '#web/console/src/components/actions/confirm-dialog.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';

export function DeleteCall({ id }: { readonly id: number }) {
  const { details: t } = useTexts('calls');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, question] = useDisclosure(false);
  const remove = useMutation({
    mutationFn: () => dataOf(deleteCall, { path: { id } }),
    onSuccess: async () => {
      await navigate({ to: '/calls' });
      queries.removeQueries({ queryKey: ['calls', 'one', id] });
      await queries.invalidateQueries({ queryKey: ['calls'] });
    },
  });
  return (
    <>
      <Button variant="light" color="red" leftSection={<Trash2 size={16} />} onClick={question.open}>
        {t.delete}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={question.close}
        title={t.delete}
        action={t.delete}
        mutation={remove}
      >
        {t.deleteQuestion}
      </ConfirmDialog>
    </>
  );
}
