import { AreaField, NumberField, SwitchField } from '../../../forms/fields.js';
import { FieldGrid, FormSection } from '../../../forms/section.js';
import { useTexts } from '../../../texts/texts.js';
import { QUEUE_SCHEMAS } from './values.js';

interface Props {
  readonly hasQueue: boolean;
}

/** How callers wait while no line is free. */
export function QueueFields({ hasQueue }: Props) {
  const { queue: t } = useTexts('numberRouting');
  return (
    <FormSection title={t.title} hint={t.hint}>
      <SwitchField name="hasQueue" />
      {hasQueue && (
        <>
          <FieldGrid>
            <NumberField name="queue.max_waiting" schema={QUEUE_SCHEMAS.max_waiting} />
            <NumberField
              name="queue.max_seconds"
              unit="seconds"
              step={10}
              schema={QUEUE_SCHEMAS.max_seconds}
            />
          </FieldGrid>
          <AreaField name="queue.message" schema={QUEUE_SCHEMAS.message} rows={3} />
        </>
      )}
    </FormSection>
  );
}
