import { Button } from '@mantine/core';
import { Building2 } from 'lucide-react';
import { useTexts } from '../texts/texts.js';

interface Props {
  /** Where to go after the sign-in. Default: the first page. */
  readonly to?: string | undefined;
  readonly isNewTab?: boolean;
}

/** Leads the browser to the identity provider of the server. */
export function ProviderButton({ to, isNewTab = false }: Props) {
  const t = useTexts('session');
  const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`;
  return (
    <Button
      component="a"
      href={`/api/auth/oidc${query}`}
      {...(isNewTab && { target: '_blank', rel: 'noopener' })}
      variant="default"
      size="md"
      leftSection={<Building2 size={16} />}
      fullWidth
    >
      {t.provider}
    </Button>
  );
}
