import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.js';
import { SIGN_IN_KEY } from '../api/query-client.js';
import { Dimmed } from '../components/dimmed.js';
import { useTexts } from '../texts/texts.js';
import { useErrorText } from '../texts/use-error-text.js';
import { setExpired } from './expiry.js';
import { ProviderButton } from './provider-button.js';

/**
 * Signs in at the identity provider in another tab, which shares the session, so that this page keeps what was typed.
 *
 * @param props.onDone as in SignInForm
 */
export function ProviderResume({ onDone }: { readonly onDone: () => Promise<unknown> }) {
  const t = useTexts('session');
  const errorText = useErrorText();
  const resume = useMutation({
    mutationKey: SIGN_IN_KEY,
    mutationFn: onDone,
    onSuccess: () => setExpired(false),
  });
  const isTooEarly = resume.error instanceof ApiError && resume.error.status === 401;
  return (
    <Stack gap="sm">
      <ProviderButton isNewTab />
      <Dimmed>{t.newTab}</Dimmed>
      <Button variant="default" loading={resume.isPending} onClick={() => resume.mutate()}>
        {t.resume}
      </Button>
      {resume.error && (
        <Text size="sm" c="red" role="alert">
          {isTooEarly ? t.notYet : errorText(resume.error)}
        </Text>
      )}
    </Stack>
  );
}
