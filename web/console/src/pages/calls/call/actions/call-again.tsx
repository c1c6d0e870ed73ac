import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { PhoneOutgoing } from 'lucide-react';
import { makeCall } from '#client/sdk.gen.js';
import type { CallDetailsResponse, MakeCallResponse } from '#client/types.gen.js';
import { dataOf } from '#web/console/src/api/client.js';
import { ConfirmButton } from '#web/console/src/components/actions/confirm-button.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';

/** Calls the same number again, with the same assistant and variables. */
export function CallAgain({ call }: { readonly call: CallDetailsResponse }) {
  const t = useTexts('callPage').actions;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { client_phone_number: phone, assistant_id: assistantId, input_variables: variables } = call;
  if (!phone.startsWith('+') || assistantId === null) return null;
  const body = { phone_number: phone, assistant_id: assistantId, variables };
  const show = async ({ call_id: id }: MakeCallResponse) => {
    await navigate({ to: '/calls/$id', params: { id: String(id) } });
    await queries.invalidateQueries({ queryKey: ['calls'] });
  };
  return (
    <ConfirmButton
      label={t.again}
      variant="default"
      color="iris"
      leftSection={<PhoneOutgoing size={16} />}
      action={() => dataOf(makeCall, { body })}
      onDone={show}
    >
      {t.againQuestion(phone, call.assistant_name)}
    </ConfirmButton>
  );
}
