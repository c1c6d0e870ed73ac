import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Headphones } from 'lucide-react';
import type { CallResponse } from '#client/types.gen.js';
import { useTexts } from '../../texts/texts.js';

/** Leads to the desk of a call that can be heard. */
export function ListenLink({ call: { id, status } }: { readonly call: Pick<CallResponse, 'id' | 'status'> }) {
  const t = useTexts('live');
  if (status !== 'in-progress') return null;
  return (
    <Button
      size="xs"
      leftSection={<Headphones size={15} />}
      renderRoot={(props) => <Link to="/live" search={{ call: id }} {...props} />}
    >
      {t.shortcuts.listen}
    </Button>
  );
}
