import { ModelError } from '../../../providers/llm/model-error.js';
import { nobodyKnows } from './call-evaluation.js';
import type { Evaluation, EvaluationField } from './evaluation.js';

/** An evaluation that a job asks for again while there is time. */
export interface PatientEvaluation {
  readonly ask: () => Promise<Evaluation>;
  readonly fields: readonly EvaluationField[];
  readonly isTimeLeft: () => Promise<boolean>;
}

/** @throws ModelError when the model does not answer, and there is time to ask again; later every value is null */
export async function evaluateInTime({ ask, fields, isTimeLeft }: PatientEvaluation): Promise<Evaluation> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ModelError) || (await isTimeLeft())) throw error;
    return nobodyKnows(fields);
  }
}
