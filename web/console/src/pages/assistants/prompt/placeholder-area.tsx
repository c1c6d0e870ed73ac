import { Button, Text } from '@mantine/core';
import { useId, useMemo, useRef } from 'react';
import { OWN_VARIABLES } from '../../../catalog/assistant-variables.js';
import { AreaField } from '../../../forms/fields.js';
import { useField } from '../../../forms/schema-form.js';
import { placeholdersIn } from '../../../texts/placeholders.js';
import { useTexts } from '../../../texts/texts.js';
import classes from './placeholder-area.module.css';
import { useCompletion } from './use-completion.js';

interface Props {
  readonly name: string;
  readonly rows?: number;
  readonly most?: number;
}

/** A text with placeholders: offers names after `{{`, and shows which ones have no value of the assistant. */
export function PlaceholderArea({ name, rows, most }: Props) {
  const t = useTexts('assistants').placeholders;
  const area = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const { value, set } = useField(name);
  const { value: variables, set: setVariables } = useField('variables');
  const own = Object(variables) as Readonly<Record<string, unknown>>;
  const known = [...Object.keys(own), ...OWN_VARIABLES];
  const { offered, active, look, take, close, onKeyDown } = useCompletion(area, known, set);
  const text = typeof value === 'string' ? value : '';
  const used = useMemo(() => [...new Set(placeholdersIn(text))], [text]);
  const unknown = used.filter((each) => !known.includes(each));
  return (
    <div className={classes.area}>
      <AreaField
        name={name}
        {...(rows !== undefined && { rows })}
        {...(most !== undefined && { most })}
        input={{
          ref: area,
          onKeyUp: ({ key }) => key !== 'Escape' && look(),
          onClick: look,
          onBlur: close,
          onKeyDown,
          'aria-autocomplete': 'list',
          'aria-controls': offered.length > 0 ? id : undefined,
          'aria-activedescendant': active === undefined ? undefined : `${id}-${active}`,
        }}
      />
      {offered.length > 0 && (
        <ul id={id} role="listbox" aria-label={t.offered} className={classes.offered}>
          {offered.map((each) => (
            <li
              key={each}
              id={`${id}-${each}`}
              role="option"
              aria-selected={each === active}
              // The textarea keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(each)}
            >
              {each}
            </li>
          ))}
        </ul>
      )}
      {unknown.length > 0 && (
        <div className={classes.unknown}>
          <Text size="sm">{t.unknown}</Text>
          {unknown.map((each) => (
            <Button
              key={each}
              size="compact-xs"
              variant="light"
              color="amber"
              title={t.add(each)}
              aria-label={t.add(each)}
              onClick={() => setVariables({ ...own, [each]: '' })}
            >
              {`{{${each}}} +`}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
