import { Anchor, Group } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';

interface Props {
  readonly to: NonNullable<LinkProps['to']>;
  readonly text: string;
}

/** Leads from a page of one thing back to the list. */
export function BackLink({ to, text }: Props) {
  return (
    <Anchor component={Link} to={to} size="sm" c="dimmed">
      <Group gap={2}>
        <ChevronLeft size={15} aria-hidden="true" />
        {text}
      </Group>
    </Anchor>
  );
}
