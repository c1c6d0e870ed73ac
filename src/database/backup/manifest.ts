import { z } from 'zod';

/** Of the file itself; a release that changes its form counts up. */
export const FORMAT = 1;

export const MANIFEST = 'manifest.json';
export const CHECKSUMS = 'checksums.json';

const tableSchema = z.object({
  name: z.string(),
  columns: z.array(z.string()).min(1),
});

const sequenceSchema = z.object({
  name: z.string(),
  /** As text: it may be beyond what a number holds. */
  lastValue: z.string(),
  isCalled: z.boolean(),
});

/** The first entry of a backup: what it holds, and what is needed to read it. */
export const manifestSchema = z.object({
  format: z.number().int(),
  /** Version of the product that made it. */
  version: z.string(),
  createdAt: z.string(),
  /** Migrations of the database, in the order they were applied. */
  migrations: z.array(z.string()),
  /** Those of plugins, by the table in which they are recorded; backups of releases without plugins say nothing of them. */
  pluginMigrations: z.record(z.string(), z.array(z.string())).default({}),
  tables: z.array(tableSchema),
  sequences: z.array(sequenceSchema),
  /** Of the keys that secrets may be sealed with; the keys themselves are not in the backup. */
  keyIds: z.array(z.string()),
  /** `local`: the files are in the backup. `s3`: they are in the bucket, and stay there. */
  files: z.enum(['local', 's3']),
});

export type Manifest = z.output<typeof manifestSchema>;
export type DumpedTable = Manifest['tables'][number];

/** The last entry: without it a backup is not whole. */
export const checksumsSchema = z.object({
  /** SHA-256 in hex by the name of the entry. */
  entries: z.record(z.string(), z.string()),
  /** Rows by table. */
  rows: z.record(z.string(), z.number().int()),
});

export type Checksums = z.output<typeof checksumsSchema>;
