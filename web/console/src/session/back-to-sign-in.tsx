import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** Leads from a page without a session to the sign-in page. */
export function BackToSignIn({ text }: { readonly text: string }) {
  return (
    <Text size="sm" ta="center" mt="xl">
      <Anchor component={Link} to="/sign-in">
        {text}
      </Anchor>
    </Text>
  );
}
