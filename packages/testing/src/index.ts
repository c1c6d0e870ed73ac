// Entry of `@prosa/testing`.
export { type TestCertificate, makeCertificate } from './certificate.js';
export { spoken } from './espeak.js';
export { framesOf, joined, loudestOf, meanStrengthOf, mixed, noise, strengthOf, tone } from './tones.js';
export { until } from './until.js';
export { VirtualClock } from './virtual-clock.js';
