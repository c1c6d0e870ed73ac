import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { PhoneMissed } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { listAssistants } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
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

const DELAY_MS = 300;

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
      <PhoneFilter value={filters.phone ?? ''} onChange={(phone) => set({ phone })} />
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
      <TextInput
        type="date"
        label={t.filters.from}
        value={filters.from ?? ''}
        onChange={({ currentTarget }) => set({ from: currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t.filters.to}
        value={filters.to ?? ''}
        onChange={({ currentTarget }) => set({ to: currentTarget.value })}
      />
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

interface PhoneProps {
  readonly value: string;
  readonly onChange: (phone: string) => void;
}

function PhoneFilter({ value, onChange }: PhoneProps) {
  const t = useTexts('calls').filters;
  const [typed, setTyped] = useState(value);
  const asked = useRef(value);
  const changeSoon = useDebouncedCallback((phone: string) => {
    asked.current = phone;
    onChange(phone);
  }, DELAY_MS);
  // The URL changed from outside, such as by a link that clears the filters. Keeps what is being typed.
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    setTyped(value);
  }, [value]);
  return (
    <TextInput
      type="tel"
      label={t.phone}
      placeholder="+55 11…"
      value={typed}
      maxLength={64}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        changeSoon(currentTarget.value.trim());
      }}
    />
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
    queryFn: ({ signal }) => dataOf(listAssistants({ signal, throwOnError: true })),
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
