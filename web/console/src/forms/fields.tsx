import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/NumberInput.layer.css';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import '@mantine/core/styles/Slider.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import {
  Input,
  MultiSelect,
  NumberInput,
  Select,
  Slider,
  Switch,
  TagsInput,
  type TextareaProps,
  TextInput,
} from '@mantine/core';
import type { Ref } from 'react';
import { useIsReadOnly } from '../components/if-allowed.js';
import { GrowingTextarea } from '../components/inputs/growing-textarea.js';
import { useTexts } from '../texts/texts.js';
import { useFormat } from '../texts/use-format.js';
import classes from './fields.module.css';
import { allows, type Schema } from './rules.js';
import { useField } from './schema-form.js';

interface Named {
  readonly name: string;
  /** Of a field inside a list, whose schema the form's own does not hold. */
  readonly schema?: Schema;
  readonly disabled?: boolean;
}

/** Near its limit a text says how much is left. */
function useCount(value: string, most: number | undefined): string | undefined {
  const t = useTexts('forms');
  const format = useFormat();
  if (most === undefined || value.length < most * 0.8) return undefined;
  return t.count(format.number(value.length), format.number(most));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** An empty text is none. */
function emptied(text: string, rule: Schema): string | null {
  return text === '' && allows(rule, 'null') ? null : text;
}

interface TextProps extends Named {
  readonly mono?: boolean;
  readonly type?: 'text' | 'password' | 'url' | 'tel';
  readonly autoFocus?: boolean;
}

export function TextField({ name, schema, disabled, mono, type, autoFocus }: TextProps) {
  const { value, error, set, rule, words, required } = useField(name, schema);
  const text = textOf(value);
  const count = useCount(text, rule.maxLength);
  return (
    <TextInput
      label={words.label}
      description={count ?? words.hint}
      placeholder={words.placeholder}
      value={text}
      error={error}
      required={required}
      withAsterisk={false}
      disabled={disabled}
      type={type ?? 'text'}
      autoComplete={type === 'password' ? 'new-password' : 'off'}
      autoFocus={autoFocus ?? false}
      data-autofocus={autoFocus || undefined}
      {...(mono && { classNames: { input: classes.mono } })}
      onChange={(event) => set(emptied(event.currentTarget.value, rule))}
    />
  );
}

interface AreaProps extends Named {
  readonly rows?: number;
  readonly most?: number;
  /** More properties of the textarea, except those that this field sets. */
  readonly input?: TextareaProps & { readonly ref?: Ref<HTMLTextAreaElement> };
}

export function AreaField({ name, schema, rows = 2, most = 8, input }: AreaProps) {
  const { value, error, set, rule, words, required } = useField(name, schema);
  const text = textOf(value);
  const count = useCount(text, rule.maxLength);
  return (
    <GrowingTextarea
      {...input}
      label={words.label}
      description={count ?? words.hint}
      placeholder={words.placeholder}
      value={text}
      error={error}
      required={required}
      withAsterisk={false}
      minRows={rows}
      maxRows={most}
      onChange={(event) => set(emptied(event.currentTarget.value, rule))}
    />
  );
}

export function NumberField({
  name,
  schema,
  disabled,
  unit,
  step,
}: Named & { unit?: 'milliseconds' | 'seconds' | 'minutes'; step?: number }) {
  const { units } = useTexts('forms');
  const format = useFormat();
  const { value, error, set, rule, words, required } = useField(name, schema);
  return (
    <NumberInput
      label={words.label}
      description={words.hint}
      placeholder={words.placeholder}
      value={typeof value === 'number' ? value : textOf(value)}
      error={error}
      required={required}
      withAsterisk={false}
      disabled={disabled}
      allowDecimal={!allows(rule, 'integer')}
      decimalSeparator={format.decimalSeparator()}
      clampBehavior="none"
      min={rule.minimum}
      max={rule.maximum}
      step={step ?? 1}
      hideControls
      rightSection={unit && <span className={classes.unit}>{units[unit]}</span>}
      onChange={(next) => set(next === '' ? null : next)}
    />
  );
}

export function SliderField({ name, schema, disabled, step = 0.05 }: Named & { step?: number }) {
  const format = useFormat();
  const isReadOnly = useIsReadOnly();
  const { value, error, set, rule, words } = useField(name, schema);
  const { minimum = 0, maximum = 1 } = rule;
  const shown = typeof value === 'number' ? value : minimum;
  return (
    <Input.Wrapper
      label={
        <>
          <span>{words.label}</span>
          <span className={classes.sliderValue}>{format.number(shown)}</span>
        </>
      }
      labelElement="div"
      classNames={{ label: classes.sliderLabel ?? '' }}
      description={words.hint}
      error={error}
    >
      <Slider
        className={classes.slider}
        value={shown}
        min={minimum}
        max={maximum}
        step={step}
        label={null}
        disabled={(disabled ?? false) || isReadOnly}
        thumbLabel={words.label}
        size="sm"
        onChange={(next) => set(Math.round(next * 1_000) / 1_000)}
      />
    </Input.Wrapper>
  );
}

export function SwitchField({ name, schema, disabled }: Named) {
  const { value, error, set, words } = useField(name, schema);
  return (
    <Switch
      label={words.label}
      description={words.hint}
      checked={value === true}
      error={error}
      disabled={disabled}
      onChange={(event) => set(event.currentTarget.checked)}
    />
  );
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** One of the values of the schema, or of the options given. */
export function ChoiceField({ name, schema, disabled, options }: Named & { options?: readonly Option[] }) {
  const { value, error, set, rule, words, required } = useField(name, schema);
  const values = (rule.enum ?? []).filter((item) => typeof item === 'string');
  const data = options ?? values.map((item) => ({ value: item, label: words.options?.[item] ?? item }));
  return (
    <Select
      label={words.label}
      description={words.hint}
      placeholder={words.placeholder}
      data={data}
      value={typeof value === 'string' ? value : null}
      error={error}
      required={required}
      withAsterisk={false}
      disabled={disabled}
      allowDeselect={false}
      clearable={allows(rule, 'null') && rule.default === undefined}
      searchable={data.length > 12}
      onChange={set}
    />
  );
}

interface Item {
  readonly id: number;
  readonly name: string;
}

interface ItemProps extends Named {
  readonly items: readonly Item[] | undefined;
  readonly placeholder?: string;
}

/** The id of one of many things. */
export function ItemField({ name, schema, disabled, items, placeholder }: ItemProps) {
  const t = useTexts('forms');
  const { value, error, set, rule, words, required } = useField(name, schema);
  const chosen = typeof value === 'number' ? String(value) : null;
  const known = (items ?? []).map((item) => ({ value: String(item.id), label: item.name }));
  // What has been chosen stays to be seen, though it is no longer offered.
  const isUnknown = items !== undefined && chosen !== null && !known.some((item) => item.value === chosen);
  return (
    <Select
      label={words.label}
      description={words.hint}
      placeholder={placeholder ?? words.placeholder ?? t.none}
      data={isUnknown ? [...known, { value: chosen, label: `#${chosen}` }] : known}
      value={chosen}
      error={error}
      required={required}
      withAsterisk={false}
      disabled={disabled}
      allowDeselect={false}
      clearable={allows(rule, 'null')}
      searchable={known.length > 6}
      nothingFoundMessage={t.notFound}
      onChange={(next) => set(next === null ? null : Number(next))}
    />
  );
}

/** Ids of many things. */
export function ItemsField({ name, items, placeholder }: ItemProps) {
  const t = useTexts('forms');
  const { value, error, set, words } = useField(name);
  const ids = Array.isArray(value) ? (value as readonly number[]) : [];
  return (
    <MultiSelect
      label={words.label}
      description={words.hint}
      placeholder={ids.length === 0 ? (placeholder ?? t.none) : ''}
      data={(items ?? []).map((item) => ({ value: String(item.id), label: item.name }))}
      value={ids.map(String)}
      error={error}
      searchable
      nothingFoundMessage={t.notFound}
      onChange={(next) => set(next.map(Number))}
    />
  );
}

/** Texts that are typed one by one. */
export function TagsField({ name, schema }: Named) {
  const { value, error, set, words } = useField(name, schema);
  const tags = Array.isArray(value) ? (value as string[]) : [];
  return (
    <TagsInput
      label={words.label}
      description={words.hint}
      placeholder={tags.length === 0 ? words.placeholder : ''}
      value={tags}
      error={error}
      acceptValueOnBlur
      onChange={set}
    />
  );
}
