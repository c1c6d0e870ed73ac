import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { PhoneOff } from 'lucide-react';
import { hangUpCall } from '#client/sdk.gen.js';
import { dataOf } from '#web/console/src/api/client.js';
import { ConfirmDialog } from '#web/console/src/components/actions/confirm-dialog.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';

export function HangUp({ id }: { readonly id: number }) {
  const { details: t } = useTexts('calls');
  const queries = useQueryClient();
  const [isAsking, question] = useDisclosure(false);
  const hangUp = useMutation({
    mutationFn: () => dataOf(hangUpCall, { path: { id } }),
    onSuccess: () => {
      question.close();
      return queries.invalidateQueries({ queryKey: ['calls'] });
    },
  });
  return (
    <>
      <Button color="red" leftSection={<PhoneOff size={16} />} onClick={question.open}>
        {t.hangUp}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={question.close}
        title={t.hangUp}
        action={t.hangUp}
        mutation={hangUp}
      >
        {t.hangUpQuestion}
      </ConfirmDialog>
    </>
  );
}
