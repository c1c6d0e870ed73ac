import { ExactNumber, hasAllDigits, toNumber } from './exact-number.js';

export type ParameterType = 'string' | 'number' | 'boolean';

export interface ToolParameterSpec {
  readonly name: string;
  readonly type: ParameterType;
  readonly description: string;
  readonly required: boolean;
  /** The only values allowed, for text; left out when any is. */
  readonly options?: readonly string[];
}

export type ToolArguments = Readonly<Record<string, string | number | boolean>>;
/** As the model wrote them, with numbers that no double holds. */
export type ExactToolArguments = Readonly<Record<string, string | number | boolean | ExactNumber>>;

/** Either the arguments, or a sentence that says to the model what to give. */
type Checked<Arguments> = { readonly args: Arguments } | { readonly problem: string };
export type CheckedArguments = Checked<ToolArguments>;

const MAX_ARGUMENT_LENGTH = 4_096;

/** The JSON Schema a model sees. */
export function parametersSchema(
  parameters: readonly ToolParameterSpec[],
): Readonly<Record<string, unknown>> {
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(
        ({ name, type, description, options }) =>
          [name, { type, description, ...(options ? { enum: options } : {}) }] as const,
      ),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** As `checkExactArguments`, for tools that calculate: a number that no double holds is refused. */
export function checkArguments(
  parameters: readonly ToolParameterSpec[],
  given: Readonly<Record<string, unknown>>,
): CheckedArguments {
  const checked = checkExactArguments(parameters, given);
  if ('problem' in checked) return checked;
  const args = Object.create(null) as Record<string, string | number | boolean>;
  for (const [name, value] of Object.entries(checked.args)) {
    const plain = value instanceof ExactNumber ? Number(value) : value;
    if (value instanceof ExactNumber && (value.isJson || !hasAllDigits(Number(plain))))
      return { problem: `The argument "${name}" has more digits than this tool can use.` };
    args[name] = plain;
  }
  return { args };
}

/** Takes the declared parameters out of what the model gave. What was not declared is dropped: a model is not trusted. */
export function checkExactArguments(
  parameters: readonly ToolParameterSpec[],
  given: Readonly<Record<string, unknown>>,
): Checked<ExactToolArguments> {
  // Without a prototype every name is just a name, `__proto__` too.
  const args = Object.create(null) as Record<string, string | number | boolean | ExactNumber>;
  for (const parameter of parameters) {
    const value = Object.hasOwn(given, parameter.name) ? given[parameter.name] : undefined;
    if (value === undefined || value === null || value === '') {
      if (parameter.required) return { problem: `The argument "${parameter.name}" is missing.` };
      continue;
    }
    if (typeof value === 'number' && Number.isFinite(value) && !hasAllDigits(value)) {
      return {
        problem: `The argument "${parameter.name}" has lost digits. Give it as a string with all its digits.`,
      };
    }
    const converted = convert(value, parameter.type);
    if (converted === undefined)
      return { problem: `The argument "${parameter.name}" must be a ${parameter.type}.` };
    if (String(converted).length > MAX_ARGUMENT_LENGTH) {
      return {
        problem: `The argument "${parameter.name}" is longer than ${MAX_ARGUMENT_LENGTH} characters.`,
      };
    }
    if (parameter.options && !parameter.options.some((option) => option === converted)) {
      return { problem: `The argument "${parameter.name}" must be one of: ${parameter.options.join(', ')}.` };
    }
    args[parameter.name] = converted;
  }
  return { args };
}

/** Models write numbers and booleans as text now and then; anything further is a mistake they should hear of. */
function convert(value: unknown, type: ParameterType): ExactToolArguments[string] | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : undefined;
    case 'number':
      return toNumber(value);
    case 'boolean':
      if (value === 'true' || value === 'false') return value === 'true';
      return typeof value === 'boolean' ? value : undefined;
  }
}
