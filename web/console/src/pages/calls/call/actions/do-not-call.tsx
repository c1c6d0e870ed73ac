import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Phone, PhoneOff } from 'lucide-react';
import { addDoNotCall, deleteDoNotCall, listDoNotCall } from '#client/sdk.gen.js';
import { dataOf } from '#web/console/src/api/client.js';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { useErrorText } from '#web/console/src/texts/use-error-text.js';

/** Puts the number of the customer on the do-not-call list, and takes it off again. */
export function DoNotCall({ phone }: { readonly phone: string }) {
  const t = useTexts('callPage').actions;
  const errorText = useErrorText();
  const entry = useQuery({
    queryKey: ['do-not-call', { phone }],
    queryFn: async ({ signal }) => {
      const { data } = await dataOf(listDoNotCall, { query: { phone_number: phone, per_page: 1 }, signal });
      return data[0] ?? null;
    },
  });
  const listed = entry.data ?? null;
  const change = useMutation({
    mutationFn: async (id: number | null) => {
      if (id !== null) await dataOf(deleteDoNotCall, { path: { id } });
      else await dataOf(addDoNotCall, { body: { phone_number: phone } });
    },
    meta: { changes: [['do-not-call']] },
    onSuccess: (_done, id) =>
      notifications.show({ message: id === null ? t.listed(phone) : t.unlisted(phone) }),
    onError: (error) => notifications.show({ message: errorText(error), color: 'red', autoClose: false }),
  });
  if (entry.data === undefined) return null;
  return (
    <Button
      variant={listed ? 'light' : 'default'}
      color={listed ? 'amber' : undefined}
      leftSection={listed ? <Phone size={16} /> : <PhoneOff size={16} />}
      loading={change.isPending}
      onClick={() => change.mutate(listed?.id ?? null)}
    >
      {listed ? t.allowCalls : t.doNotCall}
    </Button>
  );
}
