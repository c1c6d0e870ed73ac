import { z } from 'zod';
import { variablesOfProcess } from '../config/load.js';
import { PluginError } from './plugin.error.js';

/** Variables of a plugin, and the token by which its providers get their values. */
export interface PluginSettings<Schema extends z.ZodObject = z.ZodObject> {
  readonly schema: Schema;
  /** For `@Inject`. */
  readonly token: symbol;
}

/** The checked values, as a provider gets them. */
export type SettingsOf<Settings extends PluginSettings> = z.output<Settings['schema']>;

/**
 * Declares the environment variables of a plugin. Their names begin with the name of the plugin in capitals, hyphens written as
 * underscores: `LOYALTY_POINTS` of the plugin loyalty.
 *
 * @example
 * export const settings = defineSettings(z.object({ LOYALTY_POINTS: z.coerce.number().int().default(10) }));
 * constructor(@Inject(settings.token) private readonly values: SettingsOf<typeof settings>) {}
 */
export function defineSettings<Schema extends z.ZodObject>(schema: Schema): PluginSettings<Schema> {
  return { schema, token: Symbol('settings of a plugin') };
}

/** What every variable of a plugin begins with. */
export function variablePrefixOf(plugin: string): string {
  return `${plugin.replaceAll('-', '_').toUpperCase()}_`;
}

/**
 * The values of a plugin's variables.
 *
 * @throws PluginError with each variable that is wrong
 */
export function valuesOf(
  plugin: string,
  { schema }: PluginSettings,
  environment: Readonly<Record<string, string | undefined>> = variablesOfProcess(),
): Readonly<Record<string, unknown>> {
  const names = Object.keys(schema.shape);
  // An empty variable is none, as it is for the variables of Prosa.
  const given = names.flatMap((name) => (environment[name] ? [[name, environment[name]] as const] : []));
  const read = schema.safeParse(Object.fromEntries(given));
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => `${path.join('.')} (${message})`);
  throw new PluginError(
    `The plugin ${plugin} has settings that cannot be used: ${problems.join(', ')}. Set these variables, or take the plugin out ` +
      'of PROSA_PLUGINS.',
  );
}
