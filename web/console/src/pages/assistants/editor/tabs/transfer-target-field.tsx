import { Select } from '@mantine/core';
import { useField } from '#web/console/src/forms/schema-form.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';

const MEMBERS = { type: 'members', role: 'operator' };

/** Whom a warm transfer asks first: a telephone, or people of the account. */
export function TransferTargetField({ path }: { readonly path: string }) {
  const t = useTexts('assistants').builtIn.target;
  const { value, error, set, words } = useField(path);
  const isMembers = typeof value === 'object' && value !== null;
  return (
    <Select
      label={words.label}
      description={isMembers ? t.membersHint : t.phoneHint}
      data={[
        { value: 'phone', label: t.phone },
        { value: 'members', label: t.members },
      ]}
      value={isMembers ? 'members' : 'phone'}
      error={error}
      allowDeselect={false}
      onChange={(chosen) => set(chosen === 'members' ? MEMBERS : null)}
    />
  );
}
