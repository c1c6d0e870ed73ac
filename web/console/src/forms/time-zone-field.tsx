import { ChoiceField } from './fields.js';
import { useField } from './schema-form.js';

const ZONES = Intl.supportedValuesOf('timeZone');

export function TimeZoneField({ name }: { readonly name: string }) {
  const { value } = useField(name);
  const zones = typeof value === 'string' && !ZONES.includes(value) ? [value, ...ZONES] : ZONES;
  return <ChoiceField name={name} options={zones.map((zone) => ({ value: zone, label: zone }))} />;
}
