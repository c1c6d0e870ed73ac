import { Select, TextInput } from '@mantine/core';
import { useSpokenLanguages } from '../../../catalog/queries.js';
import { useTexts } from '../../../texts/texts.js';
import type { ProviderResponse, VoiceResponse } from '#client/types.gen.js';
import classes from './voices.module.css';

export interface VoiceFilter {
  readonly search: string;
  readonly languageId: number;
  /** Null: of all vendors. */
  readonly vendorId: number | null;
}

interface Props {
  readonly filter: VoiceFilter;
  readonly voices: readonly VoiceResponse[];
  readonly vendors: readonly ProviderResponse[];
  readonly onChange: (filter: VoiceFilter) => void;
}

export function VoiceFilters({ filter, voices, vendors, onChange }: Props) {
  const t = useTexts('assistants').voices;
  const { notFound } = useTexts('forms');
  const languages = useSpokenLanguages() ?? [];
  const offered = vendors.filter(({ id }) =>
    voices.some(({ synthesizer_provider_id: vendor }) => vendor === id),
  );
  return (
    <div className={classes.filters}>
      <TextInput
        type="search"
        label={t.search}
        placeholder={t.searchHint}
        value={filter.search}
        maxLength={100}
        data-autofocus
        onChange={({ currentTarget }) => onChange({ ...filter, search: currentTarget.value })}
      />
      <Select
        label={t.language}
        data={languages.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={String(filter.languageId)}
        searchable
        allowDeselect={false}
        nothingFoundMessage={notFound}
        onChange={(id) => id !== null && onChange({ ...filter, languageId: Number(id), vendorId: null })}
      />
      <Select
        label={t.vendor}
        data={[
          { value: '', label: t.anyVendor },
          ...offered.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={filter.vendorId === null ? '' : String(filter.vendorId)}
        allowDeselect={false}
        onChange={(id) => onChange({ ...filter, vendorId: id ? Number(id) : null })}
      />
    </div>
  );
}
