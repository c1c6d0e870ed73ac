import { existsSync } from 'node:fs';
import type { Config } from './config.js';
import { configFrom } from './config-from.js';
import { parseEnvironment, parseVariables } from './environment.js';
import { overFiles, withSecretFiles } from './secret-files.js';

/** Reads `.env` when there is one (real variables win), then the environment of this process. */
export function loadConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return configFrom(parseEnvironment(withSecretFiles(process.env)));
}

/** For a command that changes tables alone: it needs no encryption key, and no variable that goes with others. */
export function loadDatabaseConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return configFrom(parseVariables(withSecretFiles(process.env)));
}

/** The environment of a process that this one starts: its own, and what differs. */
export function environmentOfChild(differences: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...overFiles(differences) };
}

/** Variables that are not Prosa's own: plugins check theirs themselves. */
export function variablesOfProcess(): NodeJS.ProcessEnv {
  return process.env;
}

/** The API key that commands use with another Prosa. */
export function keyOfRemote(): string | undefined {
  return process.env.PROSA_KEY;
}
