import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { PhoneOutgoing } from 'lucide-react';
import { makeCall } from '#client/sdk.gen.js';
import type { CallDetailsResponse } from '#client/types.gen.js';
import { dataOf } from '#web/console/src/api/client.js';
import { ConfirmDialog } from '#web/console/src/components/actions/confirm-dialog.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';

/** Calls the same number again, with the same assistant and variables. */
export function CallAgain({ call }: { readonly call: CallDetailsResponse }) {
  const t = useTexts('callPage').actions;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, question] = useDisclosure(false);
  const { client_phone_number: phone, assistant_id: assistantId, input_variables: variables } = call;
  const again = useMutation({
    mutationFn: () =>
      dataOf(makeCall, { body: { phone_number: phone, assistant_id: assistantId ?? 0, variables } }),
    onSuccess: async ({ call_id: id }) => {
      question.close();
      await navigate({ to: '/calls/$id', params: { id: String(id) } });
      await queries.invalidateQueries({ queryKey: ['calls'] });
    },
  });
  if (!phone.startsWith('+') || assistantId === null) return null;
  return (
    <>
      <Button variant="default" leftSection={<PhoneOutgoing size={16} />} onClick={question.open}>
        {t.again}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={question.close}
        title={t.again}
        action={t.again}
        color="iris"
        mutation={again}
      >
        {t.againQuestion(phone, call.assistant_name)}
      </ConfirmDialog>
    </>
  );
}
