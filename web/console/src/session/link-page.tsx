import { Alert } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { BackToSignIn } from './back-to-sign-in.js';
import { GuestPage } from './guest/guest-page.js';

interface LinkPageProps {
  readonly texts: {
    readonly title: string;
    readonly subtitle: string;
    readonly noToken: string;
    readonly signIn: string;
  };
  /** Content for the token of the link. */
  readonly children: (token: string) => ReactNode;
}

/** Page without a session, opened by a link with a token in its fragment. */
export function LinkPage({ texts, children }: LinkPageProps) {
  const token = useRouterState({ select: ({ location }) => location.hash });
  return (
    <GuestPage title={texts.title} subtitle={texts.subtitle}>
      {token === '' ? <Alert color="red">{texts.noToken}</Alert> : children(token)}
      <BackToSignIn text={texts.signIn} />
    </GuestPage>
  );
}
