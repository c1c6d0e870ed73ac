import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/database/data-source-options.js';

/** For the TypeORM command line: `npx typeorm-ts-node-esm -d ormconfig.ts …`, with DATABASE_URL set. */
export default new DataSource(dataSourceOptions(process.env.DATABASE_URL ?? 'postgres://localhost/prosa'));
