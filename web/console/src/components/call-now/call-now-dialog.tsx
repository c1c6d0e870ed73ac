import { Modal } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { makeCall } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { callersOf } from '../../catalog/callers.js';
import { assistantsQuery } from '../../catalog/queries.js';
import { useTexts } from '../../texts/texts.js';
import { Loaded } from '../states/loaded.js';
import { CallNowForm, type CallOrder } from './call-now-form.js';

interface Props {
  readonly phone: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The assistant that is offered first; undefined: that of the last call. */
  readonly assistantId: number | undefined;
  readonly onClose: () => void;
}

/** Asks whom to call with which assistant, and ends on the page of the new call. */
export function CallNowDialog({ phone, variables, assistantId, onClose }: Props) {
  const t = useTexts('callNow');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const assistants = useQuery(assistantsQuery);
  const [lastId, setLastId] = useLocalStorage({
    key: 'prosa.calls.callNowAssistant',
    defaultValue: 0,
    getInitialValueInEffect: false,
  });
  const call = useMutation({
    // Without an Idempotency-Key the server refuses a second call while the first one is placed.
    mutationFn: (order: CallOrder) => dataOf(makeCall, { body: order }),
    onSuccess: async ({ call_id: id }, order) => {
      setLastId(order.assistant_id);
      onClose();
      await navigate({ to: '/calls/$id', params: { id: String(id) } });
      await queries.invalidateQueries({ queryKey: ['calls'] });
    },
  });
  return (
    <Modal opened onClose={onClose} title={t.action}>
      <Loaded query={assistants} lines={3}>
        {(all) => (
          <CallNowForm
            phone={phone}
            given={variables}
            assistants={callersOf(all, assistantId ?? lastId)}
            call={call}
            onClose={onClose}
          />
        )}
      </Loaded>
    </Modal>
  );
}
