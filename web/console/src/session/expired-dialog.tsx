import { Anchor, Divider, Modal, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Dimmed } from '../components/dimmed.js';
import { forgetRefused, repeatRefused } from '../api/query-client.js';
import { useTexts } from '../texts/texts.js';
import { useExpired } from './expiry.js';
import { meQuery } from './me.js';
import { optionsQuery } from './options.js';
import { ProviderResume } from './provider-resume.js';
import { SignInForm } from './sign-in-form.js';

/** Shown over the page when a session expires, so that typed text is not lost. */
export function ExpiredDialog() {
  const t = useTexts('session');
  const isExpired = useExpired();
  const queries = useQueryClient();
  const navigate = useNavigate();
  // The cached person; not refetched.
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  const { data: options } = useQuery({ ...optionsQuery, enabled: isExpired });
  const hasPasswords = options?.password ?? true;
  const resume = async () => {
    const { email } = await queries.fetchQuery({ ...meQuery, staleTime: 0 });
    if (email === me?.email) {
      repeatRefused();
      return void queries.invalidateQueries();
    }
    // Another person: discards the page with everything that was typed.
    forgetRefused();
    void queries.resetQueries();
    await navigate({ to: '/', ignoreBlocker: true });
  };
  return (
    <Modal
      opened={isExpired}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t.expired}
    >
      <Dimmed mb="md">{t.expiredText}</Dimmed>
      {options?.oidc && <ProviderResume onDone={resume} />}
      {options?.oidc && hasPasswords && <Divider label={t.or} my="md" />}
      {hasPasswords && <SignInForm email={me?.email ?? ''} onDone={resume} />}
      <Text size="sm" ta="center" mt="md">
        <Anchor component="button" type="button" onClick={() => void navigate({ to: '/sign-in' })}>
          {t.leave}
        </Anchor>
      </Text>
    </Modal>
  );
}
