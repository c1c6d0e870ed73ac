import { sealedColumn } from '../../common/crypto/sealed-column.js';
import type { Feature } from '../../feature.js';
import { ToolsModule } from './tools.module.js';

export const toolsFeature: Feature = {
  sealedColumns: [
    sealedColumn({ table: 'tools', column: 'sealed_headers', place: 'tools.headers', whenLost: () => '[]' }),
  ],
  module: ToolsModule,
  tags: [
    {
      name: 'Mid-call tools',
      description: 'HTTP endpoints of yours that an assistant calls in the middle of a conversation.',
    },
  ],
};
