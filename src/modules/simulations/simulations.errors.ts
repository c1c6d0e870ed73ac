import { DomainError, domainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';
import { simulationText } from './simulations.texts.js';

/** A simulation is over within minutes. */
const SOON_SECONDS = 10;

export class SimulationNotFoundError extends domainError(
  'not-found',
  simulationText('simulations.not_found'),
) {}

/** As many are under way as an account may have. */
export class TooManySimulationsError extends DomainError {
  readonly kind = 'too-many';
  override readonly retryAfterSeconds = SOON_SECONDS;

  constructor(max: number) {
    super(text(simulationText('simulations.limit'), { max }));
  }
}

/** The account has played, or used up, what it may in a day. */
export class SimulationAllowanceError extends DomainError {
  readonly kind = 'limit';

  constructor(limit: { readonly runs: number; readonly used: number } | { readonly tokens: number }) {
    super(
      'tokens' in limit
        ? text(simulationText('simulations.daily_tokens'), { max: limit.tokens })
        : text(simulationText('simulations.daily_runs'), { max: limit.runs, used: limit.used }),
    );
  }
}
