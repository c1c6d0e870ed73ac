import 'reflect-metadata';
import { openApiOfRoutes } from '../boot/openapi-of-routes.js';

process.stdout.write(`${JSON.stringify(await openApiOfRoutes(), null, 2)}\n`);
