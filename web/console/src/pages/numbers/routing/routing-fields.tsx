import type { UseFormReturnType } from '@mantine/form';
import { SwitchField } from '../../../forms/fields.js';
import type { Values } from '../../../forms/schema-form.js';
import { FormSection } from '../../../forms/section.js';
import { TimeZoneField } from '../../../forms/time-zone-field.js';
import { useTexts } from '../../../texts/texts.js';
import { BranchFields } from './branch-fields.js';
import { ClosedDates } from './closed-dates.js';
import { LookupFields } from './lookup/lookup-fields.js';
import { QueueFields } from './queue-fields.js';
import type { RoutingValues } from './values.js';
import { WeekGrid } from './week-grid.js';

interface Props {
  readonly form: UseFormReturnType<Values>;
  readonly values: RoutingValues;
}

/** Hours, the queue, what is done with calls that the number's assistant does not answer, and the lookup of callers. */
export function RoutingFields({ form, values }: Props) {
  const t = useTexts('numberRouting');
  const { isAlwaysOpen, hours, closed, hasQueue, unavailable } = values;
  return (
    <>
      <FormSection title={t.hours.title} hint={t.hours.hint}>
        <SwitchField name="isAlwaysOpen" />
        {!isAlwaysOpen && (
          <>
            <TimeZoneField name="hours.timezone" />
            <WeekGrid form={form} rows={hours.weekly} />
            <ClosedDates form={form} dates={hours.closed_dates} />
          </>
        )}
      </FormSection>
      {!isAlwaysOpen && <BranchFields branch="closed" action={closed.action} />}
      <QueueFields hasQueue={hasQueue} />
      <BranchFields branch="unavailable" action={unavailable.action} />
      <LookupFields hasLookup={values.lookup_url !== null} />
    </>
  );
}
