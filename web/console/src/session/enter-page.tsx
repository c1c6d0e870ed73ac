import { Alert, Button, Stack } from '@mantine/core';
import { beginSessionByLink } from '#client/sdk.gen.js';
import { dataOf } from '../api/client.js';
import { useTexts } from '../texts/texts.js';
import { useErrorText } from '../texts/use-error-text.js';
import { LinkPage } from './link-page.js';
import { useEntry } from './use-entry.js';

/** Signs in by a link of the operator. */
export function EnterPage() {
  return <LinkPage texts={useTexts('session').enter}>{(token) => <EnterButton token={token} />}</LinkPage>;
}

/** A button, so that programs that open links in e-mails and chats do not use the link up. */
function EnterButton({ token }: { readonly token: string }) {
  const { enter: t } = useTexts('session');
  const errorText = useErrorText();
  const begin = useEntry(() => dataOf(beginSessionByLink, { body: { token } }));
  return (
    <Stack gap="md">
      {begin.error && <Alert color="red">{errorText(begin.error)}</Alert>}
      <Button onClick={() => begin.mutate()} loading={begin.isPending} size="md" fullWidth>
        {t.submit}
      </Button>
    </Stack>
  );
}
