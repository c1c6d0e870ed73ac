import { ActionIcon, Button, Text, TextInput, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Plus, X } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Dimmed } from '../../../components/dimmed.js';
import type { Values } from '../../../forms/schema-form.js';
import { useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';
import classes from './routing.module.css';

const PATH = 'hours.closed_dates';

interface Props {
  readonly form: UseFormReturnType<Values>;
  /** `YYYY-MM-DD`, in any order. */
  readonly dates: readonly string[];
}

/** Days on which the number is closed. */
export function ClosedDates({ form, dates }: Props) {
  const { closedDates: t } = useTexts('numberRouting');
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const [date, setDate] = useState('');
  const error = Object.entries(form.errors).find(([path]) => path.startsWith(PATH))?.[1];
  const replace = (next: readonly string[]) => {
    form.setErrors(
      Object.fromEntries(Object.entries(form.errors).filter(([path]) => !path.startsWith(PATH))),
    );
    form.setFieldValue(PATH, next);
    input.current?.focus();
  };
  const add = () => {
    if (date === '') return;
    if (!dates.includes(date)) replace([...dates, date]);
    setDate('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Enter would save the form.
    event.preventDefault();
    add();
  };
  return (
    <div className={classes.dates}>
      <div>
        <Title order={3}>{t.title}</Title>
        <Dimmed>{t.hint}</Dimmed>
      </div>
      {dates.length > 0 && (
        <ul aria-label={t.title} className={classes.dateList}>
          {[...dates].sort().map((each) => (
            <li key={each}>
              <span className="tabular">{format.calendarDate(each)}</span>
              <ActionIcon
                size="sm"
                aria-label={t.remove(format.calendarDate(each))}
                onClick={() => replace(dates.filter((other) => other !== each))}
              >
                <X size={14} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.newDate}>
        <TextInput
          ref={input}
          type="date"
          label={t.date}
          value={date}
          onChange={(event) => setDate(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Button variant="default" leftSection={<Plus size={14} />} disabled={date === ''} onClick={add}>
          {t.add}
        </Button>
      </div>
      {error && (
        <Text size="sm" c="red" role="alert">
          {error}
        </Text>
      )}
    </div>
  );
}
