import type { Feature } from '../../feature.js';
import { FoldersModule } from './folders.module.js';

export const foldersFeature: Feature = {
  module: FoldersModule,
  tags: [{ name: 'Folders', description: 'Order among many assistants.' }],
};
