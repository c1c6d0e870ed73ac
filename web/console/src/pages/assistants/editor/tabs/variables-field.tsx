import { ActionIcon, Button, Input, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useField } from '#web/console/src/forms/schema-form.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import classes from '../editor.module.css';

interface Row {
  readonly key: number;
  readonly name: string;
  readonly value: unknown;
}

/** An object as rows of name and value; what is no text (the API takes any JSON) stays as it is until it is edited. */
export function VariablesField() {
  const t = useTexts('assistants').variables;
  const { value, error, set, words } = useField('variables');
  const [rows, setRows] = useState<readonly Row[]>([]);
  const held = Object(value) as Readonly<Record<string, unknown>>;
  const added = Object.keys(held).filter((name) => !rows.some((row) => row.name === name));
  // A placeholder of the prompt was made a variable.
  if (added.length > 0)
    setRows([
      ...rows,
      ...added.map((name, index) => ({ key: nextKey(rows) + index, name, value: held[name] })),
    ]);
  const change = (next: readonly Row[]) => {
    setRows(next);
    set(Object.fromEntries(next.filter(({ name }) => name !== '').map((row) => [row.name, row.value])));
  };
  const edit = (key: number, part: Partial<Row>) =>
    change(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const add = () => change([...rows, { key: nextKey(rows), name: '', value: '' }]);
  return (
    <Input.Wrapper label={words.label} labelElement="div" description={words.hint} error={error}>
      <div className={classes.rows}>
        {rows.map(({ key, name, value: shown }) => (
          <div key={key} className={classes.row}>
            <TextInput
              aria-label={t.name}
              placeholder={t.name}
              value={name}
              onChange={(event) => edit(key, { name: event.currentTarget.value.trim() })}
            />
            <TextInput
              aria-label={t.value}
              placeholder={t.value}
              value={typeof shown === 'string' ? shown : JSON.stringify(shown)}
              onChange={(event) => edit(key, { value: event.currentTarget.value })}
            />
            <ActionIcon
              className={classes.remove}
              data-plain
              aria-label={`${t.remove} ${name}`}
              onClick={() => change(rows.filter((row) => row.key !== key))}
            >
              <X size={16} />
            </ActionIcon>
          </div>
        ))}
        <div>
          <Button variant="default" size="xs" leftSection={<Plus size={14} />} onClick={add}>
            {t.add}
          </Button>
        </div>
      </div>
    </Input.Wrapper>
  );
}

function nextKey(rows: readonly Row[]): number {
  return Math.max(-1, ...rows.map(({ key }) => key)) + 1;
}
