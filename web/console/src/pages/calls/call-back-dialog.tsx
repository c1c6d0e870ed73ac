import { Alert, Anchor, Button, Group, Modal, NativeSelect, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useMutation, type UseMutationResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { makeCall } from '#client/sdk.gen.js';
import type { AssistantResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { callersOf } from '../../catalog/callers.js';
import { assistantsQuery } from '../../catalog/queries.js';
import { Loaded } from '../../components/states/loaded.js';
import { DialogForm } from '../../forms/dialog-form.js';
import { useTexts } from '../../texts/texts.js';

interface Props {
  readonly phone: string;
  readonly onClose: () => void;
}

/** Calls a customer back with an assistant. */
export function CallBackDialog({ opened, ...props }: Props & { readonly opened: boolean }) {
  const { callBack: t } = useTexts('calls');
  return (
    <Modal opened={opened} onClose={props.onClose} title={t.action}>
      <CallBack {...props} />
    </Modal>
  );
}

function CallBack({ phone, onClose }: Props) {
  const assistants = useQuery(assistantsQuery);
  const [lastId, setLastId] = useLocalStorage({
    key: 'prosa.calls.callBackAssistant',
    defaultValue: 0,
    getInitialValueInEffect: false,
  });
  const call = useMutation({
    // Without an Idempotency-Key the server refuses a second call while another member already calls the number.
    mutationFn: (assistantId: number) =>
      dataOf(makeCall, { body: { phone_number: phone, assistant_id: assistantId } }),
    meta: { changes: [['calls']] },
    onSuccess: (_made, assistantId) => setLastId(assistantId),
  });
  if (call.data) return <Placed phone={phone} id={call.data.call_id} onClose={onClose} />;
  return (
    <Loaded query={assistants} lines={3}>
      {(all) => (
        <CallBackForm phone={phone} assistants={callersOf(all, lastId)} call={call} onClose={onClose} />
      )}
    </Loaded>
  );
}

interface FormProps extends Props {
  readonly assistants: readonly AssistantResponse[];
  readonly call: Pick<UseMutationResult<unknown, unknown, number>, 'mutate' | 'isPending' | 'error'>;
}

function CallBackForm({ phone, assistants, call, onClose }: FormProps) {
  const { callBack: t, columns } = useTexts('calls');
  const [chosen, setChosen] = useState(assistants[0]?.id);
  return (
    <DialogForm
      submit={t.call}
      isDisabled={chosen === undefined}
      onCancel={onClose}
      mutation={call}
      onSubmit={() => chosen !== undefined && call.mutate(chosen)}
    >
      <Text size="sm">{t.question(phone)}</Text>
      {assistants.length === 0 ? (
        <Alert color="amber">
          {t.noAssistant}{' '}
          <Anchor renderRoot={(props) => <Link to="/assistants" {...props} />}>{t.toAssistants}</Anchor>
        </Alert>
      ) : (
        <NativeSelect
          label={columns.assistant}
          value={chosen}
          data={assistants.map(({ id, name }) => ({ value: String(id), label: name }))}
          data-autofocus
          onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
        />
      )}
    </DialogForm>
  );
}

interface PlacedProps extends Props {
  readonly id: number;
}

function Placed({ phone, id, onClose }: PlacedProps) {
  const { callBack: t } = useTexts('calls');
  const link = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone.
  useEffect(() => link.current?.focus(), []);
  return (
    <>
      <Text size="sm" role="status">
        {t.placed(phone)}
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button
          ref={link}
          renderRoot={(props) => (
            <Link from="/calls" to="/calls" search={(search) => ({ ...search, call: id })} {...props} />
          )}
          onClick={onClose}
        >
          {t.show}
        </Button>
      </Group>
    </>
  );
}
