import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PhoneMissed } from 'lucide-react';
import { listAssistants } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { DateRange } from '../../components/inputs/date-range.js';
import { SearchInput } from '../../components/inputs/search-input.js';
import { capitalized } from '../../texts/capitalized.js';
import { useTexts } from '../../texts/texts.js';
import classes from './calls.module.css';
import {
  BRANCHES,
  type CallFilters,
  callFiltersFrom,
  isFiltered,
  isMissed,
  REASONS,
  STATUSES,
  toggleMissed,
  TYPES,
} from './filters.js';

interface Props {
  readonly filters: CallFilters;
  readonly onChange: (filters: CallFilters) => void;
}

export function CallFiltersForm({ filters, onChange }: Props) {
  const t = useTexts('calls');
  const { branches, reasons } = useTexts('routing');
  const any = { value: '', label: t.filters.any };
  const set = (changed: Partial<Record<keyof CallFilters, unknown>>) =>
    onChange(callFiltersFrom({ ...filters, ...changed }));
  return (
    <search aria-label={t.filters.label} className={classes.filters}>
      <SearchInput
        type="search"
        label={t.filters.search}
        placeholder={t.filters.searchPlaceholder}
        value={filters.q ?? ''}
        maxLength={200}
        className={classes.search}
        onChange={(q) => set({ q })}
      />
      <SearchInput
        type="tel"
        label={t.filters.phone}
        placeholder="+55 11…"
        value={filters.phone ?? ''}
        maxLength={64}
        onChange={(phone) => set({ phone })}
      />
      <SearchInput
        type="search"
        label={t.filters.tag}
        value={filters.tag ?? ''}
        maxLength={40}
        onChange={(tag) => set({ tag })}
      />
      <NativeSelect
        label={t.filters.status}
        value={filters.status ?? ''}
        data={[any, ...STATUSES.map((value) => ({ value, label: t.statuses[value] }))]}
        onChange={({ currentTarget }) => set({ status: currentTarget.value })}
      />
      <NativeSelect
        label={t.filters.type}
        value={filters.type ?? ''}
        data={[any, ...TYPES.map((value) => ({ value, label: t.types[value] }))]}
        onChange={({ currentTarget }) => set({ type: currentTarget.value })}
      />
      <AssistantFilter value={filters.assistant} onChange={(assistant) => set({ assistant })} />
      <NativeSelect
        label={t.filters.branch}
        value={filters.branch ?? ''}
        data={[any, ...BRANCHES.map((value) => ({ value, label: branches[value] }))]}
        onChange={({ currentTarget }) => set({ branch: currentTarget.value })}
      />
      <NativeSelect
        label={t.filters.reason}
        value={filters.reason ?? ''}
        data={[any, ...REASONS.map((value) => ({ value, label: capitalized(reasons[value]) }))]}
        onChange={({ currentTarget }) => set({ reason: currentTarget.value })}
      />
      <DateRange texts={t.filters} value={filters} onChange={set} />
      <Button
        variant={isMissed(filters) ? 'light' : 'default'}
        leftSection={<PhoneMissed size={15} aria-hidden="true" />}
        aria-pressed={isMissed(filters)}
        onClick={() => onChange(toggleMissed(filters))}
      >
        {t.filters.missed}
      </Button>
      {isFiltered(filters) && (
        <Button variant="subtle" color="gray" onClick={() => onChange({})}>
          {t.filters.clear}
        </Button>
      )}
    </search>
  );
}

interface AssistantProps {
  readonly value: number | undefined;
  readonly onChange: (assistant: number | undefined) => void;
}

function AssistantFilter({ value, onChange }: AssistantProps) {
  const t = useTexts('calls').filters;
  const { data = [] } = useQuery({
    queryKey: ['assistants', 'names'],
    queryFn: ({ signal }) => dataOf(listAssistants, { signal }),
  });
  return (
    <NativeSelect
      label={t.assistant}
      value={value === undefined ? '' : String(value)}
      data={[
        { value: '', label: t.any },
        ...data.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value) || undefined)}
    />
  );
}
