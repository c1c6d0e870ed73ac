import { Button } from '@mantine/core';
import { Building2 } from 'lucide-react';
import { useTexts } from '../texts/texts.js';

/** Leads the browser to the identity provider of the server. */
export function ProviderButton({ to }: { readonly to: string | undefined }) {
  const t = useTexts('session');
  const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`;
  return (
    <Button
      component="a"
      href={`/api/auth/oidc${query}`}
      variant="default"
      size="md"
      leftSection={<Building2 size={16} />}
      fullWidth
    >
      {t.provider}
    </Button>
  );
}
