import { ActionIcon, Button, Input, Menu, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { phoneNumbersQuery } from '#web/console/src/catalog/queries.js';
import {
  AreaField,
  ChoiceField,
  ItemField,
  NumberField,
  SwitchField,
  TextField,
} from '#web/console/src/forms/fields.jsx';
import { allows, type Schema } from '#web/console/src/forms/rules.js';
import { useField } from '#web/console/src/forms/schema-form.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { Dimmed } from '#web/console/src/components/dimmed.jsx';
import classes from '../editor.module.css';
import { BUILT_IN_TOOLS } from '../values.js';
import { BLANK_DESTINATION, HandoffField, OtherAssistantField } from './handoff-field.js';
import { TransferTargetField } from './transfer-target-field.js';

type ToolType = keyof typeof BUILT_IN_TOOLS;
/** Those that can be added: `handoff` does all that `assistant_transfer` does, which clients of the API write. */
const TYPES = (Object.keys(BUILT_IN_TOOLS) as ToolType[]).filter((type) => type !== 'assistant_transfer');
/** Long texts, by name: the document knows lengths, not looks. */
const AREAS = /description|message|instructions/;

interface Tool {
  readonly type: ToolType;
  readonly extcal_booking_fields?: unknown;
}

/** Actions that Prosa brings, each with the fields of its own form. */
export function BuiltInToolsField() {
  const t = useTexts('assistants').builtIn;
  const { value, error, set, words } = useField('tools');
  const tools = Array.isArray(value) ? (value as readonly Tool[]) : [];
  const add = (type: ToolType) => set([...tools, blankTool(type)]);
  return (
    <Input.Wrapper label={words.label} labelElement="div" description={words.hint} error={error}>
      <div className={classes.rows}>
        {tools.map((tool, at) =>
          // Others, as tools of plugins, are edited by the API alone; they are kept.
          tool.type in BUILT_IN_TOOLS ? (
            <ToolCard
              key={at}
              tool={tool}
              at={at}
              onRemove={() => set(tools.filter((_tool, other) => other !== at))}
            />
          ) : null,
        )}
        <div>
          <Menu position="bottom-start">
            <Menu.Target>
              <Button variant="default" size="xs" leftSection={<Plus size={14} />}>
                {t.add}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {TYPES.map((type) => (
                <Menu.Item key={type} onClick={() => add(type)}>
                  {t.types[type]}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </div>
      </div>
    </Input.Wrapper>
  );
}

/** With the defaults of its form, and nothing in what must be given. */
function blankTool(type: ToolType): object {
  const { properties = {}, required = [] } = BUILT_IN_TOOLS[type];
  const fields = Object.entries(properties).map(([name, schema]) => [
    name,
    schema.default ?? (required.includes(name) && allows(schema, 'string') ? '' : null),
  ]);
  return {
    ...Object.fromEntries(fields),
    ...(type === 'handoff' && { destinations: [BLANK_DESTINATION] }),
    type,
  };
}

function ToolCard({ tool, at, onRemove }: { tool: Tool; at: number; onRemove: () => void }) {
  const t = useTexts('assistants').builtIn;
  const fields = Object.entries(BUILT_IN_TOOLS[tool.type].properties ?? {}).filter(
    ([name]) => name !== 'type' && name !== 'extcal_booking_fields',
  );
  const hasBookingFields = Array.isArray(tool.extcal_booking_fields) && tool.extcal_booking_fields.length > 0;
  return (
    <section className={classes.card} aria-label={t.types[tool.type]}>
      <div className={classes.cardHead}>
        <Title order={3}>{t.types[tool.type]}</Title>
        <ActionIcon aria-label={`${t.remove}: ${t.types[tool.type]}`} onClick={onRemove}>
          <X size={16} />
        </ActionIcon>
      </div>
      {fields.map(([name, schema]) => (
        <ToolField key={name} path={`tools.${at}.${name}`} field={name} schema={schema} />
      ))}
      {hasBookingFields && <Dimmed>{t.bookingFields}</Dimmed>}
    </section>
  );
}

function ToolField({ path, field, schema }: { path: string; field: string; schema: Schema }) {
  const { data: numbers } = useQuery(phoneNumbersQuery);
  if (field === 'target') return <TransferTargetField path={path} />;
  if (field === 'destinations') return <HandoffField path={path} />;
  if (field === 'assistant_id') return <OtherAssistantField name={path} schema={schema} />;
  if (field === 'outbound_phone_id') {
    const items = numbers?.map(({ id, phone_number: name }) => ({ id, name }));
    return <ItemField name={path} schema={schema} items={items} />;
  }
  if (allows(schema, 'boolean')) return <SwitchField name={path} schema={schema} />;
  if (allows(schema, 'integer')) {
    return (
      <NumberField name={path} schema={schema} {...(field === 'timeout' && { unit: 'seconds' as const })} />
    );
  }
  if (schema.enum) return <ChoiceField name={path} schema={schema} />;
  if (AREAS.test(field)) return <AreaField name={path} schema={schema} rows={1} />;
  return <TextField name={path} schema={schema} />;
}
