import { Alert, Button, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { beginSessionByLink } from '#client/sdk.gen.js';
import { dataOf } from '../api/client.js';
import { useTexts } from '../texts/texts.js';
import { useErrorText } from '../texts/use-error-text.js';
import { setExpired } from './expiry.js';
import { LinkPage } from './link-page.js';

/** Signs in by a link of the operator. */
export function EnterPage() {
  return <LinkPage texts={useTexts('session').enter}>{(token) => <EnterButton token={token} />}</LinkPage>;
}

/** A button, so that programs that open links in e-mails and chats do not use the link up. */
function EnterButton({ token }: { readonly token: string }) {
  const { enter: t } = useTexts('session');
  const errorText = useErrorText();
  const queries = useQueryClient();
  const router = useRouter();
  const begin = useMutation({
    mutationFn: () => dataOf(beginSessionByLink({ body: { token }, throwOnError: true })),
    onSuccess: () => {
      setExpired(false);
      queries.clear();
      router.history.replace(router.basepath);
    },
  });
  return (
    <Stack gap="md">
      {begin.error && <Alert color="red">{errorText(begin.error)}</Alert>}
      <Button onClick={() => begin.mutate()} loading={begin.isPending} size="md" fullWidth>
        {t.submit}
      </Button>
    </Stack>
  );
}
