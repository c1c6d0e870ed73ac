import { NumberField, TextField } from '#web/console/src/forms/fields.jsx';
import { FormSection } from '#web/console/src/forms/section.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { LOOKUP_SCHEMAS } from '../values.js';

interface Props {
  readonly hasLookup: boolean;
}

/** The server that is asked who a caller is. */
export function LookupFields({ hasLookup }: Props) {
  const { lookup: t } = useTexts('numberRouting');
  return (
    <FormSection title={t.title} hint={t.hint}>
      <TextField name="lookup_url" type="url" schema={LOOKUP_SCHEMAS.lookup_url} />
      {hasLookup && (
        <NumberField
          name="lookup_timeout_ms"
          unit="milliseconds"
          step={500}
          schema={LOOKUP_SCHEMAS.lookup_timeout_ms}
        />
      )}
    </FormSection>
  );
}
