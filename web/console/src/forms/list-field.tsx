import { ActionIcon, Button, Text } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './list-field.module.css';
import { useField } from './schema-form.js';

interface Props {
  readonly name: string;
  readonly add: string;
  readonly remove: string;
  /** A new item. */
  readonly blank: object;
  /** The fields of the item at a path. */
  readonly children: (path: string) => ReactNode;
}

/** Items of several fields each, in rows. */
export function ListField({ name, add, remove, blank, children }: Props) {
  const { value, error, set } = useField(name);
  const items = Array.isArray(value) ? (value as readonly object[]) : [];
  return (
    <div className={classes.items}>
      {items.map((_item, at) => (
        <div key={at} className={classes.item}>
          <div className={classes.fields}>{children(`${name}.${at}`)}</div>
          <ActionIcon
            aria-label={`${remove} ${at + 1}`}
            onClick={() => set(items.filter((_other, other) => other !== at))}
          >
            <X size={16} />
          </ActionIcon>
        </div>
      ))}
      {error && (
        <Text size="sm" c="red" role="alert">
          {error}
        </Text>
      )}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<Plus size={14} />}
          onClick={() => set([...items, { ...blank }])}
        >
          {add}
        </Button>
      </div>
    </div>
  );
}
