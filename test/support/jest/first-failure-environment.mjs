// Runs the tests of a file until one fails and passes over the rest, as a planted fault needs to be noticed only once.
import MainRealmEnvironment from './main-realm-environment.mjs';

export default class FirstFailureEnvironment extends MainRealmEnvironment {
  hasFailure = false;

  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0) this.hasFailure = true;
    if (name === 'test_start' && this.hasFailure) test.mode = 'skip';
  }
}
