import { EnumField, IntegerQuery } from '../../../common/http/fields.js';
import { ENGINE_MODES, type EngineMode, MODEL_TYPES, type ModelType } from '../catalog-schema.js';

export class LanguageQuery {
  @IntegerQuery({ min: 1, description: 'Only what is offered for this language' })
  declare language_id?: number;
}

export class VoicesQuery extends LanguageQuery {
  @EnumField(ENGINE_MODES, { optional: true, description: 'Only voices usable in this mode' })
  declare mode?: EngineMode;
}

export class ModelsQuery {
  @EnumField(MODEL_TYPES, { optional: true, default: 'llm', description: 'Only those of this kind' })
  declare type?: ModelType;
}
