import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { assistantsQuery } from '../../../catalog/queries.js';
import { AreaField, ChoiceField, ItemField, TextField } from '../../../forms/fields.js';
import { FormSection } from '../../../forms/section.js';
import { useTexts } from '../../../texts/texts.js';
import classes from './routing.module.css';
import { type Action, type Branch, type Parameter, PARAMETER_SCHEMAS, PARAMETERS } from './values.js';

const ACTIONS = Object.keys(PARAMETERS) as Action[];

interface FieldProps {
  readonly name: string;
}

/** The field of each parameter of an action. */
const FIELDS: Readonly<Record<Parameter, ComponentType<FieldProps>>> = {
  assistant_id: AssistantField,
  phone_number: PhoneField,
  text: MessageField,
};

interface Props {
  readonly branch: Branch;
  readonly action: Action;
}

/** What is done with a call in one part of the routing. */
export function BranchFields({ branch, action }: Props) {
  const t = useTexts('numberRouting');
  const { title, hint } = t.branches[branch];
  const parameter = PARAMETERS[action];
  const Field = parameter && FIELDS[parameter];
  return (
    <FormSection title={title} hint={hint}>
      <div role="group" aria-label={title} className={classes.branch}>
        <ChoiceField
          name={`${branch}.action`}
          options={ACTIONS.map((value) => ({ value, label: t.actions[value] }))}
        />
        {Field && <Field name={`${branch}.${parameter}`} />}
      </div>
    </FormSection>
  );
}

function AssistantField({ name }: FieldProps) {
  const { choose } = useTexts('numberRouting');
  const { data: assistants } = useQuery(assistantsQuery);
  return <ItemField name={name} items={assistants} placeholder={choose} />;
}

function PhoneField({ name }: FieldProps) {
  return <TextField name={name} schema={PARAMETER_SCHEMAS.phone_number} type="tel" />;
}

function MessageField({ name }: FieldProps) {
  return <AreaField name={name} schema={PARAMETER_SCHEMAS.text} rows={3} />;
}
