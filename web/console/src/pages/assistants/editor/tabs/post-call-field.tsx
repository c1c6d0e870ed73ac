import { ActionIcon, Button, Input } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { ChoiceField, TextField } from '#web/console/src/forms/fields.jsx';
import { useField } from '#web/console/src/forms/schema-form.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import classes from '../editor.module.css';
import { POST_CALL_FIELD } from '../values.js';

const { name: NAME, type: TYPE, description: DESCRIPTION } = POST_CALL_FIELD.properties ?? {};

/** What the model reads out of each transcript. */
export function PostCallField() {
  const t = useTexts('assistants').postCall;
  const { value, error, set, words } = useField('post_call_schema');
  const items = Array.isArray(value) ? (value as readonly { readonly name: string }[]) : [];
  const add = () => set([...items, { name: '', type: 'string', description: '' }]);
  return (
    <Input.Wrapper label={words.label} labelElement="div" description={words.hint} error={error}>
      <div className={classes.rows}>
        {items.map((item, at) => (
          <div key={at} className={classes.row} data-three>
            <TextField name={`post_call_schema.${at}.name`} schema={NAME ?? {}} mono />
            <ChoiceField name={`post_call_schema.${at}.type`} schema={TYPE ?? {}} />
            <TextField name={`post_call_schema.${at}.description`} schema={DESCRIPTION ?? {}} />
            <ActionIcon
              className={classes.remove}
              aria-label={`${t.remove} ${item.name}`}
              onClick={() => set(items.filter((_item, other) => other !== at))}
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
