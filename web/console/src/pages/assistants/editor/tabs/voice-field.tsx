import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { voicesQuery } from '#web/console/src/catalog/queries.js';
import { ItemField } from '#web/console/src/forms/fields.jsx';
import { useField } from '#web/console/src/forms/schema-form.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';

interface Props {
  readonly mode: Parameters<typeof voicesQuery>[0];
  readonly languageId: number;
}

/** The voice of an assistant. Those that the available keys cannot speak may be chosen, and say so. */
export function VoiceField({ mode, languageId }: Props) {
  const t = useTexts('assistants').voices;
  const { value } = useField('voice_id');
  const { data: voices } = useQuery(voicesQuery(mode, languageId));
  const reason = voices?.find(({ id }) => id === value)?.unavailable_reason ?? null;
  const items = voices?.map(({ id, name, unavailable_reason: why }) => ({
    id,
    name: why === null ? name : `${name} · ${t.short[why]}`,
  }));
  return (
    <>
      <ItemField name="voice_id" items={items} />
      {reason !== null && (
        <Alert color="yellow" role="status">
          {t.long[reason]}
        </Alert>
      )}
    </>
  );
}
