import { useCallback } from 'react';
import type { NumberRoutingResponse } from '#client/types.gen.js';
import { findIssues } from '../../../forms/rules.js';
import { type SchemaForm, useIssueText, useSchemaForm, type Values } from '../../../forms/schema-form.js';
import { useTexts } from '../../../texts/texts.js';
import { useFieldErrors } from '../../../texts/use-error-text.js';
import { type RoutingValues, schemaOf, valuesOf } from './values.js';
import { errorsAtRows, weeklyOf } from './week.js';

/** Fields bring their own rules: which of them count depends on the values. */
const NO_RULES = {};

export interface RoutingForm {
  readonly schemaForm: SchemaForm;
  readonly values: RoutingValues;
}

/** The form of a routing, held to the limits of the API. @param stored the last routing that the API returned */
export function useRoutingForm(stored: NumberRoutingResponse): RoutingForm {
  const t = useTexts('numberRouting').week;
  const issueText = useIssueText();
  const fieldErrors = useFieldErrors();
  const schemaForm = useSchemaForm(NO_RULES, valuesOf(stored) as unknown as Values, {
    extra: (raw) => {
      const values = raw as unknown as RoutingValues;
      const issues = [...findIssues(schemaOf(values), values)];
      return {
        ...hoursErrors(values, t),
        ...Object.fromEntries(issues.map(([path, issue]) => [path, issueText(issue)])),
      };
    },
  });
  const { form } = schemaForm;
  const values = form.values as unknown as RoutingValues;
  const { weekly: rows } = values.hours;
  const { setErrors } = form;
  const showRefusal = useCallback(
    (error: unknown) => {
      const errors = errorsAtRows(fieldErrors(error), weeklyOf(rows, stored.hours?.weekly), rows);
      setErrors(errors);
      return Object.keys(errors);
    },
    [fieldErrors, setErrors, rows, stored],
  );
  return { schemaForm: { ...schemaForm, showRefusal }, values };
}

function hoursErrors(
  { isAlwaysOpen, hours: { weekly } }: RoutingValues,
  t: { readonly none: string; readonly equal: string },
): Record<string, string> {
  if (isAlwaysOpen) return {};
  if (weekly.length === 0) return { 'hours.weekly': t.none };
  return Object.fromEntries(
    weekly.flatMap(({ from, to }, at) => (from === to ? [[`hours.weekly.${at}.to`, t.equal]] : [])),
  ) as Record<string, string>;
}
