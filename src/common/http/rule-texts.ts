import { getMetadataStorage, type ValidationError } from 'class-validator';
import { text, type TextKey } from '../../i18n/catalogue.js';
import type { TextParams, TextRef } from '../../i18n/text.js';
import { ITEMS } from './validation-text.js';

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type Words = readonly [key: TextKey, params?: TextParams];

/** Items of one list that are named; a list of thousands is not answered with thousands of texts. */
const MAX_NAMED = 20;

/** Texts of class-validator's own rules, by their names. A rule that is not here answers class-validator's English words. */
const TEXT_OF_RULE: Readonly<Record<string, (constraints: readonly unknown[], value: unknown) => Words>> = {
  isDefined: () => ['validation.required'],
  isNotEmpty: () => ['validation.required'],
  isString: () => ['validation.string'],
  isInt: () => ['validation.integer'],
  isNumber: () => ['validation.number'],
  isNumberString: () => ['validation.number'],
  isBoolean: () => ['validation.boolean'],
  isArray: () => ['validation.array'],
  isObject: () => ['validation.object'],
  nestedValidation: () => ['validation.object'],
  minLength: ([min]) => ['validation.min_length', { min: Number(min) }],
  maxLength: ([max]) => ['validation.max_length', { max: Number(max) }],
  isLength: ([min, max], value) =>
    max === undefined || String(value).length < Number(min)
      ? ['validation.min_length', { min: Number(min) }]
      : ['validation.max_length', { max: Number(max) }],
  min: ([min]) => ['validation.min', { min: Number(min) }],
  max: ([max]) => ['validation.max', { max: Number(max) }],
  arrayNotEmpty: () => ['validation.min_items', { min: 1 }],
  arrayMinSize: ([min]) => ['validation.min_items', { min: Number(min) }],
  arrayMaxSize: ([max]) => ['validation.max_items', { max: Number(max) }],
  arrayUnique: () => ['validation.distinct'],
  isIn: ([values]) => ['validation.one_of', { values: listed(values) }],
  isEnum: ([, values]) => ['validation.one_of', { values: listed(values) }],
  isEmail: () => ['validation.email'],
  isUrl: () => ['validation.url'],
  isUuid: () => ['validation.uuid'],
  isTimeZone: () => ['validation.timezone'],
  isISO31661Alpha2: () => ['validation.country'],
  matches: () => ['validation.format'],
};

/**
 * The text of a rule that was declared with one of class-validator's own decorators. A `message` of its author stays as it is.
 *
 * @param name of the rule, as class-validator reports it
 * @param message its words: of the author of the rule, or class-validator's own
 */
export function ruleText(error: ValidationError, name: string, message: string): TextRef<TextKey> {
  const rule = ruleOf(error, name);
  const hasOwnMessage = rule?.message !== undefined && rule.message !== '';
  const known = rule && !hasOwnMessage ? TEXT_OF_RULE[name] : undefined;
  if (!rule || !known) return text('validation.words', { words: message });
  const [key, params] = known((rule.constraints ?? []) as readonly unknown[], error.value);
  if (!rule.each) return text(key, params);
  const items = brokenItems(rule, error);
  return items.length > 0
    ? text(key, { ...params, [ITEMS]: items.slice(0, MAX_NAMED).join() })
    : text('validation.words', { words: message });
}

function ruleOf({ target, property }: ValidationError, name: string): Rule | undefined {
  if (typeof target !== 'object') return undefined;
  return getMetadataStorage()
    .getTargetValidationMetadatas(target.constructor, '', false, false)
    .find((rule) => rule.propertyName === property && (rule.name ?? rule.type) === name);
}

/** Indexes of the items that break a rule for each item of a list. */
function brokenItems(rule: Rule, { value, target = {}, property }: ValidationError): number[] {
  if (!Array.isArray(value)) return [];
  const checks = getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls);
  return value.flatMap((item: unknown, index) => {
    const facts = {
      targetName: target.constructor.name,
      object: target,
      property,
      value: item,
      constraints: (rule.constraints ?? []) as unknown[],
    };
    return checks.every(({ instance }) => instance.validate(item, facts) !== false) ? [] : [index];
  });
}

function listed(values: unknown): string {
  const list: unknown[] =
    typeof values === 'function' ? (values as () => unknown[])() : Object.values(values ?? {});
  return list.map(String).join(', ');
}
