import { Badge, Group, Text } from '@mantine/core';
import type { ApiKeyResponse } from '#client/types.gen.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

/** Permissions, origins and expiry of a key. */
export function KeyRights({ apiKey }: { readonly apiKey: ApiKeyResponse }) {
  const t = useTexts('keys');
  const format = useFormat();
  const { scopes, publishable, allowed_origins: origins, expires_at: end } = apiKey;
  const names = scopes === null ? [t.kinds.all] : scopes.map((scope) => t.scopes[scope]);
  return (
    <>
      <Group gap={4}>
        {(publishable ? [t.kinds.publishable] : names).map((name) => (
          <Badge key={name} color={scopes === null ? 'amber' : 'gray'}>
            {name}
          </Badge>
        ))}
        {end !== null && new Date(end) <= new Date() && <Badge color="red">{t.expired}</Badge>}
      </Group>
      {end !== null && new Date(end) > new Date() && (
        <Text size="xs" c="dimmed" mt={2}>
          {t.until(format.dateTime(end))}
        </Text>
      )}
      {origins !== null && (
        <Text size="xs" c="dimmed" mt={2}>
          {t.onlyAt(origins.join(', '))}
        </Text>
      )}
    </>
  );
}
